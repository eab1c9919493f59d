/** The commands for cluster operators. They call members over gRPC, on the main thread. */
package io.entroq.server.cli.admin;
