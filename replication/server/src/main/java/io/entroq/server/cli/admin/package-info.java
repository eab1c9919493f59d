/**
 * The commands for operators of a cluster: one class for each. They ask members over gRPC, as other
 * commands do. Called on the main thread.
 */
package io.entroq.server.cli.admin;
