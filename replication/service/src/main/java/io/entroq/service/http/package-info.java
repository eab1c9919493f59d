/**
 * HTTP/1.1: REST, unary Connect, the Connect stream of the one streaming method (contract 1.13),
 * and pages about the server.
 *
 * <p>It uses Netty's HTTP codec directly: most frameworks do not report promptly that a client has
 * disconnected, which claims depend on, or that a response has been sent. This Netty is not the one
 * that gRPC shades, and nothing else in this module depends on it.
 *
 * <p>A request runs on the event loop of its connection; replies from other threads move there
 * first. Nothing blocks.
 */
package io.entroq.service.http;
