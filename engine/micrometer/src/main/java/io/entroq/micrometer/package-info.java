/**
 * Metrics of producers and workers by Micrometer. Called on their threads. Has only two classes
 * because there is nothing else to measure, and is a module of its own because not all users need
 * it.
 */
package io.entroq.micrometer;
