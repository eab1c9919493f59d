/**
 * Commands' work that takes several requests. Depends only on the API. Each object runs once, on
 * one thread. When interrupted, it stops between two atomic requests and reports its progress.
 */
package io.entroq.server.cli.queue.action;
