package io.entroq.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The gateway and a program on two pipes. */
class WorkGatewayTest extends GatewayConformance {
  private OutputStream toGateway;
  private BufferedReader fromGateway;
  private WorkGateway gateway;

  @Override
  protected void open(WorkGateway.Builder config, EntroQ target) throws IOException {
    Pipe to = Pipe.open();
    Pipe from = Pipe.open();
    toGateway = Channels.newOutputStream(to.sink());
    fromGateway = new BufferedReader(Channels.newReader(from.source(), StandardCharsets.UTF_8));
    gateway =
        config.start(
            target, Channels.newInputStream(to.source()), Channels.newOutputStream(from.sink()));
  }

  @AfterEach
  void closeGateway() throws IOException {
    if (gateway != null) {
      hangUp();
      gateway.close();
    }
  }

  @Override
  protected String receiveText() throws IOException {
    return fromGateway.readLine();
  }

  @Override
  protected void sendText(String message) throws IOException {
    toGateway.write((message + "\n").getBytes(StandardCharsets.UTF_8));
  }

  @Override
  protected void hangUp() throws IOException {
    toGateway.close();
  }

  @Override
  protected WorkGateway.End awaitEnd() {
    WorkGateway.End end = gateway.whenEnded().join();
    assertThat(gateway.isRunning()).isFalse();
    gateway.close();
    assertThat(gateway.end()).isEqualTo(end);
    return end;
  }

  @Test
  void shouldSkipBlankLines() throws Exception {
    begin(config());
    sendText("\r\n\n  ");
    acknowledge();
    await(() -> tasks("in").isEmpty());
  }

  @Test
  void shouldFinishTheTaskWhenClosed() throws Exception {
    begin(config());
    CompletableFuture<Void> closed = CompletableFuture.runAsync(gateway::close);
    await(() -> !gateway.isRunning());
    insert("2");
    acknowledge();
    closed.join();
    assertThat(gateway.end()).isEqualTo(WorkGateway.End.OK);
    assertThat(gateway.endReason()).isEmpty();
    assertThat(only("in").text()).isEqualTo("2");
    assertThat(only("in").claims()).isZero();
  }

  @Test
  void shouldSayWhyItHasEnded() throws Exception {
    begin(config());
    assertThat(gateway.endReason()).isEmpty();
    sendText("{");
    assertThat(awaitEnd()).isEqualTo(WorkGateway.End.OK);
    assertThat(gateway.endReason()).startsWith("what it sent is not JSON: ");
  }

  @Test
  void shouldNotChangeWithItsBuilder() throws Exception {
    WorkGateway.Builder builder = config().lease(LEASE).maxAttempts(0);
    begin(builder);
    WorkGateway.Builder unused = builder.maxAttempts(1).retryDelay(Duration.ofHours(5));
    answer("'outcome':'retry'");
    await(() -> only("in").attempt() == 1);
    assertThat(only("in").arrivalTime()).isBefore(queue.time().plus(Duration.ofHours(1)));
  }

  /** Passes what a gateway sends on, and receives nothing. */
  private static GatewayTransport transport(Consumer<byte[]> sent) {
    return new GatewayTransport() {
      @Override
      public void start(Receiver receiver) {
        // It receives nothing.
      }

      @Override
      public void send(byte[] json) {
        sent.accept(json);
      }
    };
  }

  private static GatewayEnding ending(GatewayConnection connection) {
    GatewayEnding ending = new GatewayEnding(connection, Duration.ofMinutes(1));
    connection.start(ending);
    return ending;
  }

  @Test
  void shouldTellOfOneEnd() {
    AtomicInteger sent = new AtomicInteger();
    AtomicReference<GatewayEnding> other = new AtomicReference<>();
    GatewayTransport transport =
        transport(
            json -> {
              if (sent.incrementAndGet() == 1) {
                other.get().fail(WorkGateway.End.TRANSIENT, "second");
              }
            });
    GatewayEnding ending = ending(new GatewayConnection(transport));
    other.set(ending);
    ending.fail(WorkGateway.End.CALLER, "first");
    assertThat(sent).hasValue(1);
    assertThat(ending.ended().join())
        .isEqualTo(new GatewayEnding.Ended(WorkGateway.End.CALLER, "first"));
  }

  @Test
  void shouldReadAnAnswerWhereItWasAskedFor() {
    GatewayConnection connection = new GatewayConnection(transport(json -> {}));
    GatewayEnding ending = ending(connection);
    CompletableFuture<byte[]> answer = connection.ask(GatewayConnection.message("doWork"));
    connection.onMessage("nonsense".getBytes(StandardCharsets.UTF_8));
    assertThat(ending.isEnded()).as("nobody has read it yet").isFalse();
    assertThatThrownBy(() -> connection.await(answer, "result"))
        .isInstanceOf(ExecutionException.class);
    assertThat(ending.ended().join().reason()).startsWith("what it sent is not JSON: ");
  }

  @Test
  void shouldClaimNothingOnceThereIsToBeNone() {
    GatewayQueue ended = GatewayQueue.on(queue, EntroQ::modify, () -> false);
    assertThatThrownBy(() -> ended.claim(Claim.from("in")))
        .isInstanceOf(EntroQException.Closed.class);
  }

  @ParameterizedTest
  @CsvSource({"OK,0", "TRANSIENT,75", "CALLER,78", "GATEWAY,70"})
  void shouldHaveTheExitStatusOfEntroqsGateway(WorkGateway.End end, int status) {
    assertThat(end.status()).isEqualTo(status);
  }

  @Test
  void shouldRefuseImpossibleOptions() {
    assertThatThrownBy(() -> config().maxAttempts(-1)).hasMessageContaining("maxAttempts");
    assertThatThrownBy(() -> config().errorQueue("")).hasMessageContaining("queue");
    assertThatThrownBy(() -> config().lease(Duration.ZERO)).hasMessageContaining("lease");
    assertThatThrownBy(() -> WorkGateway.from())
        .isInstanceOf(EntroQException.InvalidArgument.class);
  }

  @ParameterizedTest
  @CsvSource({
    "0,0",
    "1.5s,1500",
    "1h2m3s4ms,3723004",
    "250ms,250",
    "0s,0",
    ".5s,",
    "-1s,",
    "1,",
    "1d,",
    "999999999999h,",
    ","
  })
  void shouldReadDurationsOfGo(String text, Long millis) {
    if (millis == null) {
      assertThatThrownBy(() -> GoDuration.parse(text == null ? "" : text))
          .hasMessageContaining("is not a duration such as 30s");
    } else {
      assertThat(GoDuration.parse(text)).isEqualTo(Duration.ofMillis(millis));
    }
  }
}
