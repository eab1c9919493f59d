/**
 * Metrics of workers by Micrometer. Called on the threads of workers. Has only one class because
 * there is nothing else to measure, and is a module of its own because most users do not need it.
 */
package io.entroq.micrometer;
