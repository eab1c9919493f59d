/**
 * Metrics of queues and workers by Micrometer. Called on the threads of those who use them. Has
 * only two classes because there is nothing else to measure, and is a module of its own because not
 * all users need it.
 */
package io.entroq.micrometer;
