/**
 * Callers that work on a queue at random and record a history. They use only the public API: in the
 * tests of the checker on a queue in memory, else on a cluster. One thread for each caller.
 */
package io.entroq.system.load;
