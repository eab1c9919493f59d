/** ActiveMQ Artemis as a peer: a broker in this process. */
package io.entroq.perf.peers.artemis;
