package io.entroq.service.grpc;

import static io.entroq.service.grpc.RawHttp2.PREFACE;
import static io.entroq.service.grpc.RawHttp2.SETTINGS;
import static io.entroq.service.grpc.RawHttp2.call;
import static io.entroq.service.grpc.RawHttp2.concat;
import static io.entroq.service.grpc.RawHttp2.frame;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.wire.published.v1.ClaimRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connections on which there is no HTTP/2, or a broken one: they end, and all others go on. */
class BrokenConnectionTest {
  private static final int ROUNDS = 60;
  private static final int TIMEOUT_MS = 20_000;
  private static final long SEED = Long.getLong("test.seed", new SplittableRandom().nextLong());

  private final ServedQueue served = new ServedQueue();
  private final V1 v1 = new V1(served.client);
  private final SplittableRandom random = new SplittableRandom(SEED);

  @AfterEach
  void close() {
    served.close();
  }

  @Test
  void shouldEndWhileOthersGoOn() {
    v1.insert("q", "t");
    for (int i = 0; i < ROUNDS; i++) {
      write(i, random(random.nextInt(1, 2_000)));
      write(i, concat(PREFACE, random(random.nextInt(1, 2_000))));
      write(i, concat(PREFACE, frames()));
      write(i, mutated(conversation(request("none"))));
      write(i, conversation(random(random.nextInt(40))));
      // Somebody else, meanwhile.
      assertThat(v1.task("t").getVersion()).isZero();
    }
    try (WireClient another = served.connect()) {
      assertThat(new V1(another).tryClaim("c", "q").getTask().getVersion()).isEqualTo(1);
    }
  }

  /** So that the others are more than noise. */
  @Test
  void shouldAnswerWhatIsNotBroken() throws IOException {
    v1.insert("q", "t");
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), served.server.port())) {
      socket.setSoTimeout(TIMEOUT_MS);
      socket.getOutputStream().write(conversation(request("q")));
      String answer = "";
      while (!answer.contains("raw")) {
        byte[] some = new byte[1_000];
        int length = socket.getInputStream().read(some);
        assertThat(length).as(answer).isPositive();
        answer += new String(some, 0, length, StandardCharsets.ISO_8859_1);
      }
    }
    assertThat(v1.task("t").getClaimantId()).isEqualTo("raw");
  }

  /** Says all that, and nothing more. */
  private void write(int round, byte[] bytes) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), served.server.port())) {
      socket.setSoTimeout(TIMEOUT_MS);
      socket.getOutputStream().write(bytes);
      socket.shutdownOutput();
      byte[] unused = socket.getInputStream().readAllBytes();
    } catch (SocketTimeoutException e) {
      throw new AssertionError("seed %d, round %d: it does not end".formatted(SEED, round), e);
    } catch (IOException e) {
      // Cut, while there was more to say.
      return;
    }
  }

  private static byte[] conversation(byte[] message) {
    return concat(PREFACE, frame(SETTINGS, 0, 0), call("/api.EntroQ/TryClaim", message));
  }

  private static byte[] request(String queue) {
    byte[] request =
        ClaimRequest.newBuilder().setClaimantId("raw").addQueues(queue).build().toByteArray();
    return concat(new byte[] {0, 0, 0, 0, (byte) request.length}, request);
  }

  /** Some that are well-formed by themselves, of any kind and to any stream. */
  private byte[] frames() {
    byte[] frames = frame(SETTINGS, 0, 0);
    for (int i = random.nextInt(1, 8); i > 0; i--) {
      frames =
          concat(
              frames,
              frame(
                  random.nextInt(12),
                  random.nextInt(256),
                  random.nextInt(4),
                  random(random.nextInt(60))));
    }
    return frames;
  }

  private byte[] mutated(byte[] bytes) {
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
    }
    return bytes;
  }

  private byte[] random(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) random.nextInt();
    }
    return bytes;
  }
}
