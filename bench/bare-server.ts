import { createServer } from 'node:http'

// The minimum that a Node server can do: it returns the same bytes for every request. Argument: {"headers": {...},
// "body": "..."}
const { headers, body } = JSON.parse(process.argv[2]!)
const bytes = Buffer.from(body)
const server = createServer((request, response) => {
  request.resume()
  response.writeHead(200, headers)
  response.end(bytes)
})
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify(server.address())))
