/**
 * The commands for operators of a cluster, one class each. They call members over gRPC, on the main
 * thread.
 */
package io.entroq.server.cli.admin;
