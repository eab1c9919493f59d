/**
 * The service over gRPC: both APIs, health and reflection on one port. Nothing else in this module
 * knows of gRPC, but for its status codes.
 *
 * <p>Calls come on event loops and answers on a thread of the engine's; no thread waits for either.
 */
package io.entroq.server.service.grpc;
