/**
 * Callers that work on a queue as a seed says, and take down what they ask and what they are told.
 * They know queues through their public API alone: in the tests of the checker one in memory, else
 * a cluster.
 */
package io.entroq.system.load;
