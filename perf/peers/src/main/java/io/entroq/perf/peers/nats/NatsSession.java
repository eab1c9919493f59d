package io.entroq.perf.peers.nats;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.entroq.load.LoadSession;
import io.nats.client.Connection;
import io.nats.client.JetStream;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.PullSubscribeOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One caller, who publishes to the stream and pulls from the consumer that all share. */
final class NatsSession implements LoadSession {
  private static final Duration WAIT = Duration.ofMillis(200);
  private static final int ANSWER_SECONDS = 15;
  private static final byte[] ACKNOWLEDGEMENT = "+ACK".getBytes(US_ASCII);

  private final Connection connection;
  private final String stream;
  private final JetStream publisher;
  private final JetStreamSubscription subscription;
  private List<Message> claimed = List.of();

  NatsSession(Connection connection, String stream) throws IOException, JetStreamApiException {
    this.connection = connection;
    this.stream = stream;
    publisher = connection.jetStream();
    subscription =
        publisher.subscribe(null, PullSubscribeOptions.bind(stream, NatsServer.CONSUMER));
  }

  @Override
  public void insert(List<byte[]> values)
      throws InterruptedException, ExecutionException, TimeoutException {
    List<CompletableFuture<?>> stored = new ArrayList<>(values.size());
    for (byte[] value : values) {
      stored.add(publisher.publishAsync(stream, value));
    }
    await(stored);
  }

  @Override
  public List<byte[]> claim(int limit) {
    claimed = subscription.fetch(limit, WAIT);
    return claimed.stream().map(Message::getData).toList();
  }

  /** Each acknowledgement is a request, which is answered when it is stored. */
  @Override
  public void commit() throws InterruptedException, ExecutionException, TimeoutException {
    List<CompletableFuture<?>> stored = new ArrayList<>(claimed.size());
    for (Message message : claimed) {
      stored.add(connection.request(message.getReplyTo(), ACKNOWLEDGEMENT));
    }
    await(stored);
  }

  private static void await(List<CompletableFuture<?>> all)
      throws InterruptedException, ExecutionException, TimeoutException {
    for (CompletableFuture<?> each : all) {
      each.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    }
  }

  @Override
  public void close() {
    subscription.unsubscribe();
  }
}
