/**
 * The state machine as a clustered service: what a majority has is applied here, in its order, with
 * its time; and snapshots of the state are written and read. All of it on the one thread of the
 * service container, which the engine calls the applying one.
 */
package io.entroq.cluster.service;
