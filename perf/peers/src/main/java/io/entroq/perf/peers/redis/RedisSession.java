package io.entroq.perf.peers.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.entroq.load.LoadSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Response;
import redis.clients.jedis.StreamEntryID;
import redis.clients.jedis.params.XAddParams;
import redis.clients.jedis.params.XReadGroupParams;
import redis.clients.jedis.resps.StreamEntryBinary;

/** One caller's connection: a consumer of the group. */
final class RedisSession implements LoadSession {
  private static final int BLOCK_MS = 200;
  private static final byte[] FIELD = {'v'};
  private static final byte[] GROUP = RedisServer.GROUP.getBytes(UTF_8);

  private final Jedis jedis;
  private final byte[] stream;
  private final byte[] consumer;
  private byte[][] claimed = {};

  RedisSession(Jedis jedis, String stream, String consumer) {
    this.jedis = jedis;
    this.stream = stream.getBytes(UTF_8);
    this.consumer = consumer.getBytes(UTF_8);
  }

  @Override
  public void insert(List<byte[]> values) {
    if (values.size() == 1) {
      jedis.xadd(stream, XAddParams.xAddParams(), Map.of(FIELD, values.get(0)));
      return;
    }
    List<Response<byte[]>> added = new ArrayList<>(values.size());
    try (Pipeline pipeline = jedis.pipelined()) {
      for (byte[] value : values) {
        added.add(pipeline.xadd(stream, XAddParams.xAddParams(), Map.of(FIELD, value)));
      }
    }
    // Throws if one failed.
    added.forEach(Response::get);
  }

  @Override
  public List<byte[]> claim(int limit) {
    XReadGroupParams params = XReadGroupParams.xReadGroupParams().count(limit).block(BLOCK_MS);
    List<Map.Entry<byte[], List<StreamEntryBinary>>> streams =
        jedis.xreadGroupBinary(
            GROUP, consumer, params, Map.of(stream, StreamEntryID.XREADGROUP_UNDELIVERED_ENTRY));
    if (streams == null || streams.isEmpty()) {
      return List.of();
    }
    List<StreamEntryBinary> entries = streams.get(0).getValue();
    claimed = new byte[entries.size()][];
    List<byte[]> values = new ArrayList<>(entries.size());
    for (int i = 0; i < claimed.length; i++) {
      claimed[i] = entries.get(i).getID().toString().getBytes(UTF_8);
      values.add(entries.get(i).getFields().values().iterator().next());
    }
    return values;
  }

  @Override
  public void commit() {
    try (Pipeline pipeline = jedis.pipelined()) {
      Response<Long> acknowledged = pipeline.xack(stream, GROUP, claimed);
      Response<Long> deleted = pipeline.xdel(stream, claimed);
      pipeline.sync();
      if (acknowledged.get() != claimed.length || deleted.get() != claimed.length) {
        throw new IllegalStateException(
            "of %d entries %d were acknowledged and %d deleted"
                .formatted(claimed.length, acknowledged.get(), deleted.get()));
      }
    }
  }

  @Override
  public void close() {
    jedis.close();
  }
}
