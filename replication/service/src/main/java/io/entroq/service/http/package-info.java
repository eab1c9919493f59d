/**
 * The v1 API over HTTP/1.1, contract 1.13: REST, Connect with one answer, and the stream of Connect
 * for the one method that has many; and pages about the server.
 *
 * <p>It runs on Netty's codec of HTTP itself, and not on a framework, of which most do not say in
 * time that a client has gone, on which claims depend, nor that an answer has left. Nothing else in
 * this module knows of Netty. It is another Netty than the one that gRPC brings under another name.
 *
 * <p>A request belongs to the event loop of its connection: what is told of it elsewhere, as by the
 * engine, goes there first. Messages are read and written there as well, and nothing blocks.
 */
package io.entroq.service.http;
