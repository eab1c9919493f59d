package io.entroq.perf.peers.fanout;

import io.entroq.perf.peers.peer.Topic;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends messages into a topic while each of its groups receives and commits them. Each message has
 * a number, by which every group tells whether it got each of them, once.
 */
final class FanOutTurn {
  private static final int LIMIT_SECONDS = 60;

  private final Topic topic;
  private final List<String> groups;
  private final int messages;
  private final int batch;
  private final int bytes;

  /**
   * @param messages a multiple of {@code batch}
   * @param bytes of a value
   */
  FanOutTurn(Topic topic, List<String> groups, int messages, int batch, int bytes) {
    this.topic = topic;
    this.groups = groups;
    this.messages = messages;
    this.batch = batch;
    this.bytes = bytes;
  }

  /**
   * Returns how many messages all groups together got and committed in a second, from the first one
   * sent to the last one committed.
   *
   * @throws ExecutionException if a group gets a message twice, or a call fails
   * @throws TimeoutException if a group has not got all messages after a minute
   */
  double deliveriesPerSecond() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    List<Topic.Member> members = new ArrayList<>();
    try {
      for (String group : groups) {
        members.add(topic.join(group));
      }
      long startNs = System.nanoTime();
      List<CompletableFuture<Void>> all = new ArrayList<>();
      all.add(CompletableFuture.runAsync(() -> checked(this::send), threads));
      for (Topic.Member member : members) {
        all.add(CompletableFuture.runAsync(() -> checked(() -> receive(member)), threads));
      }
      CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
          .get(LIMIT_SECONDS, TimeUnit.SECONDS);
      return 1e9 * messages * groups.size() / (System.nanoTime() - startNs);
    } finally {
      threads.shutdownNow();
      for (Topic.Member member : members) {
        member.close();
      }
    }
  }

  private void send() throws Exception {
    List<byte[]> values = new ArrayList<>(batch);
    for (int number = 0; number < messages; number++) {
      values.add(ByteBuffer.allocate(bytes).putInt(number).array());
      if (values.size() == batch) {
        topic.send(values);
        values.clear();
      }
    }
  }

  private void receive(Topic.Member member) throws Exception {
    BitSet got = new BitSet(messages);
    int count = 0;
    while (count < messages) {
      List<byte[]> values = member.receive(batch);
      for (byte[] value : values) {
        int number = ByteBuffer.wrap(value).getInt();
        if (got.get(number)) {
          throw new IllegalStateException("a group got message %d twice".formatted(number));
        }
        got.set(number);
        count++;
      }
      if (!values.isEmpty()) {
        member.commit();
      }
    }
  }

  private interface Step {
    void run() throws Exception;
  }

  private static void checked(Step step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
