/** RabbitMQ as a peer: a quorum queue on one node or with copies on three. */
package io.entroq.perf.peers.rabbitmq;
