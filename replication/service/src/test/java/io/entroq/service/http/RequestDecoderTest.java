package io.entroq.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What becomes of bytes, without a server. */
class RequestDecoderTest {
  private static final int ROUNDS = Integer.getInteger("test.rounds", 3_000);
  private static final long SEED = Long.getLong("test.seed", new SplittableRandom().nextLong());

  /** Much of what there is room for in a head, so that the bounds are met too. */
  private static final HttpDecoderConfig CONFIG =
      new HttpDecoderConfig()
          .setMaxInitialLineLength(120)
          .setMaxHeaderSize(120)
          .setMaxChunkSize(50);

  private static final List<String> PARTS =
      List.of(
          "GET /a HTTP/1.1\r\nHost: a\r\n\r\n",
          "GET /b?c=d HTTP/1.0\r\n\r\n",
          "POST /c HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
          "POST /d HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
          "5;x=y\r\nhello\r\n",
          "0\r\nX: 1\r\n\r\n",
          "0\r\n\r\n",
          "\r\n",
          "\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n",
          "GET /e HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
          "GET /f HTTP/9.9\r\nHost: a\r\n\r\n",
          "POST /g HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: x\r\n\r\n",
          "X: 1\r\n 2\r\n",
          "\0\u00ff\r\n");

  private final SplittableRandom random = new SplittableRandom(SEED);

  @Test
  void shouldNotDecodeTheNextRequestBeforeItsTurn() {
    RequestDecoder decoder = new RequestDecoder(CONFIG);
    EmbeddedChannel channel = new EmbeddedChannel(decoder);
    channel.writeInbound(Unpooled.wrappedBuffer(PARTS.get(0).repeat(200).getBytes()));
    for (int i = 0; i < 200; i++) {
      assertThat(channel.inboundMessages()).as("request %d", i).hasSize(2);
      assertThat(channel.config().isAutoRead()).isEqualTo(i == 199);
      channel.releaseInbound();
      decoder.next();
    }
    assertThat(channel.inboundMessages()).isEmpty();
    assertThat(channel.config().isAutoRead()).isTrue();
    channel.finishAndReleaseAll();
  }

  @Test
  void shouldCloseAConnectionThatSendsTooMuchOnceStopped() {
    RequestDecoder decoder = new RequestDecoder(CONFIG);
    EmbeddedChannel channel = new EmbeddedChannel(decoder);
    decoder.stop();
    byte[] bytes = new byte[1 << 20];
    for (int passed = 0; passed < RequestDecoder.SKIPPED_BYTES_MAX; passed += bytes.length) {
      channel.writeInbound(Unpooled.wrappedBuffer(bytes));
    }
    assertThat(channel.isOpen()).isTrue();
    channel.writeInbound(Unpooled.wrappedBuffer(new byte[1]));
    assertThat(channel.isOpen()).isFalse();
    channel.finishAndReleaseAll();
  }

  @Test
  void shouldSkipBytesOnceStopped() {
    RequestDecoder decoder = new RequestDecoder(CONFIG);
    EmbeddedChannel channel = new EmbeddedChannel(decoder);
    channel.writeInbound(Unpooled.wrappedBuffer(PARTS.get(0).repeat(2).getBytes()));
    channel.releaseInbound();
    decoder.stop();
    for (int i = 0; i < 100; i++) {
      channel.writeInbound(Unpooled.wrappedBuffer(PARTS.get(0).getBytes()));
    }
    assertThat(channel.inboundMessages()).isEmpty();
    assertThat(channel.config().isAutoRead()).isTrue();
    channel.finishAndReleaseAll();
  }

  @Test
  void shouldDecodeTheSameForAnySplitOfTheBytes() {
    int requests = 0;
    for (int i = 0; i < ROUNDS; i++) {
      byte[] bytes = bytes();
      List<String> whole = read(List.of(bytes));
      List<String> inPieces = read(pieces(bytes));
      assertThat(inPieces)
          .as("seed %d, round %d: %s", SEED, i, new String(bytes, StandardCharsets.ISO_8859_1))
          .isEqualTo(whole);
      assertThat(whole.stream().filter("wrong"::equals).count()).isLessThanOrEqualTo(1);
      assertThat(whole.subList(0, Math.max(0, whole.size() - 1))).doesNotContain("wrong");
      requests += whole.size();
    }
    assertThat(requests).isGreaterThan(ROUNDS);
  }

  private byte[] bytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = random.nextInt(1, 8); i > 0; i--) {
      bytes.writeBytes(
          PARTS.get(random.nextInt(PARTS.size())).getBytes(StandardCharsets.ISO_8859_1));
    }
    byte[] all = bytes.toByteArray();
    for (int i = random.nextInt(3); i > 0; i--) {
      all[random.nextInt(all.length)] = (byte) random.nextInt();
    }
    return all;
  }

  private List<byte[]> pieces(byte[] bytes) {
    List<byte[]> pieces = new ArrayList<>();
    for (int from = 0; from < bytes.length; ) {
      int to = Math.min(bytes.length, from + random.nextInt(1, 20));
      pieces.add(Arrays.copyOfRange(bytes, from, to));
      from = to;
    }
    return pieces;
  }

  private static List<String> read(List<byte[]> pieces) {
    RequestDecoder decoder = new RequestDecoder(CONFIG);
    EmbeddedChannel channel = new EmbeddedChannel(decoder);
    List<String> read = new ArrayList<>();
    StringBuilder body = new StringBuilder();
    for (byte[] piece : pieces) {
      channel.writeInbound(Unpooled.wrappedBuffer(piece));
      for (HttpObject next = channel.readInbound(); next != null; next = channel.readInbound()) {
        boolean isWhole = note(next, read, body);
        ReferenceCountUtil.release(next);
        if (isWhole) {
          decoder.next();
        }
      }
    }
    channel.close();
    return read;
  }

  /** Whether a request has come in as a whole with that. */
  private static boolean note(HttpObject next, List<String> read, StringBuilder body) {
    if (next.decoderResult().isFailure()) {
      read.add("wrong");
      return false;
    }
    if (next instanceof HttpRequest request) {
      read.add(request.method() + " " + request.uri() + " " + request.headers().entries());
      body.setLength(0);
    }
    if (next instanceof HttpContent content) {
      body.append(content.content().toString(StandardCharsets.ISO_8859_1));
    }
    if (next instanceof LastHttpContent) {
      read.add(body.toString());
      return true;
    }
    return false;
  }
}
