/**
 * The service over gRPC: both APIs, health and reflection on one port. Nothing else in this module
 * knows of gRPC, but for its status codes.
 *
 * <p>It runs on the server of gRPC for Java, in the form that brings a Netty of its own name.
 * Armeria would carry HTTP on the same port as well; but with many messages under way on a stream,
 * which is what those are for, a bare echo was six times as fast here, and two ports are what
 * clients expect.
 *
 * <p>Calls come on event loops, which are lent to the engine: most are done and answered there, the
 * rest on threads of the engine's; no thread waits for either.
 */
package io.entroq.service.grpc;
