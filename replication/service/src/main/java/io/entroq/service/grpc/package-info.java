/**
 * gRPC: both APIs, request streams, health and reflection on one port. Nothing else in this module
 * depends on gRPC, except on its status codes.
 *
 * <p>It uses the shaded Netty transport of grpc-java. Armeria would serve HTTP on the same port,
 * but a bare echo over streams with many messages in flight was six times as fast here, and clients
 * expect two ports.
 *
 * <p>Calls run on event loops, which are lent to the engine: most are done and answered there, the
 * rest on engine threads. No thread waits for either.
 */
package io.entroq.service.grpc;
