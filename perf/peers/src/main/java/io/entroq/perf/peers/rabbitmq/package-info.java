/** RabbitMQ as a peer: a quorum queue on one node. */
package io.entroq.perf.peers.rabbitmq;
