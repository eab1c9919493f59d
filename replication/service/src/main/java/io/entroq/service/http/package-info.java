/**
 * HTTP/1.1: REST, unary Connect, the Connect stream of the one streaming method (contract 1.13),
 * and pages about the server.
 *
 * <p>It uses Netty's HTTP codec directly. Most frameworks do not report in time that a client has
 * gone, which claims depend on, or that a response has left. Nothing else in this module depends on
 * this Netty, which is not the one that gRPC shades.
 *
 * <p>A request belongs to the event loop of its connection; replies from elsewhere move there
 * first. Messages are read and written there too, and nothing blocks.
 */
package io.entroq.service.http;
