/** RabbitMQ as a peer: a quorum queue on a node of our own. */
package io.entroq.perf.peers.rabbitmq;
