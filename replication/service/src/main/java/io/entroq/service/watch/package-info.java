/**
 * A service that lets others look on: for metrics, and for traces. It changes nothing. Any thread.
 */
package io.entroq.service.watch;
