package io.entroq.perf.peers;

import io.entroq.perf.peers.artemis.ArtemisPeer;
import io.entroq.perf.peers.beanstalkd.BeanstalkdPeer;
import io.entroq.perf.peers.kafka.KafkaPeer;
import io.entroq.perf.peers.peer.Peer;
import io.entroq.perf.peers.postgres.PostgresPeer;
import io.entroq.perf.peers.rabbitmq.RabbitPeer;
import io.entroq.perf.peers.redis.RedisPeer;
import io.entroq.perf.peers.sqlite.SqlitePeer;
import java.util.List;

/** All peers that there are, in the order of tables. */
final class Roster {
  static final List<Peer> ALL =
      List.of(
          new EntroQPeer(),
          new SqlitePeer(),
          new PostgresPeer(),
          new RedisPeer(),
          new BeanstalkdPeer(),
          new ArtemisPeer(),
          new KafkaPeer(),
          new RabbitPeer());

  private Roster() {}
}
