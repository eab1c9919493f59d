/**
 * Commands' work that takes several requests. A package of its own because it depends only on the
 * API, not on the command line. Each object runs once, on one thread. When interrupted, it stops
 * between two atomic requests and reports its progress.
 */
package io.entroq.server.cli.queue.action;
