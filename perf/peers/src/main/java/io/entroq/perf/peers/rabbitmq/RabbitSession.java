package io.entroq.perf.peers.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.MessageProperties;
import io.entroq.load.LoadSession;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One caller's channel, which publishes and consumes. */
final class RabbitSession implements LoadSession {
  private static final int WAIT_MS = 200;
  private static final int CONFIRM_MS = 15_000;

  private final BlockingQueue<Delivery> deliveries = new LinkedBlockingQueue<>();
  private final Channel channel;
  private final String queue;
  private long lastTag;

  RabbitSession(Channel channel, String queue, int prefetch) throws IOException {
    this.channel = channel;
    this.queue = queue;
    channel.confirmSelect();
    channel.basicQos(prefetch);
    channel.basicConsume(queue, false, (tag, delivery) -> deliveries.add(delivery), tag -> {});
  }

  @Override
  public void insert(List<byte[]> values)
      throws IOException, InterruptedException, TimeoutException {
    for (byte[] value : values) {
      channel.basicPublish("", queue, MessageProperties.PERSISTENT_BASIC, value);
    }
    channel.waitForConfirmsOrDie(CONFIRM_MS);
  }

  @Override
  public List<byte[]> claim(int limit) throws InterruptedException {
    Delivery first = deliveries.poll(WAIT_MS, TimeUnit.MILLISECONDS);
    if (first == null) {
      return List.of();
    }
    List<Delivery> claimed = new ArrayList<>(limit);
    claimed.add(first);
    deliveries.drainTo(claimed, limit - 1);
    lastTag = claimed.get(claimed.size() - 1).getEnvelope().getDeliveryTag();
    return claimed.stream().map(Delivery::getBody).toList();
  }

  @Override
  public void commit() throws IOException {
    // Acknowledges this delivery and all before it.
    channel.basicAck(lastTag, true);
  }

  @Override
  public void close() throws IOException, TimeoutException {
    channel.close();
  }
}
