/**
 * What is done to a cluster while callers work on it, and what is found afterwards: {@link
 * io.entroq.system.scenario.Trial} lets {@link io.entroq.system.scenario.Fault}s befall it, and
 * then asks for the history, for equal members, and for an empty queue.
 */
package io.entroq.system.scenario;
