package io.entroq.service.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.entroq.codec.wire.published.stream.StreamHello;
import io.entroq.codec.wire.published.stream.StreamRequest;
import io.entroq.codec.wire.published.stream.StreamRequests;
import io.entroq.codec.wire.published.stream.StreamResponse;
import io.entroq.codec.wire.published.stream.StreamResponses;
import io.entroq.codec.wire.published.stream.StreamWelcome;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** A stream to a server as bytes on the one side, and as published messages on the other. */
public final class RawStream implements AutoCloseable {
  private static final MethodDescriptor<byte[], byte[]> OPEN =
      MethodDescriptor.newBuilder(new Raw(), new Raw())
          .setType(MethodType.BIDI_STREAMING)
          .setFullMethodName("entroq.v1.Stream/Open")
          .build();

  private final ClientCall<byte[], byte[]> call;
  private final BlockingQueue<StreamResponse> responses = new LinkedBlockingQueue<>();
  private final CompletableFuture<StreamWelcome> welcome = new CompletableFuture<>();
  private final CompletableFuture<Status> end = new CompletableFuture<>();
  private volatile boolean isTaking = true;
  private final AtomicInteger messages = new AtomicInteger();

  /** Opens one that says nothing yet. */
  RawStream(WireClient client) {
    call = client.channel.newCall(OPEN, CallOptions.DEFAULT);
    call.start(new Answers(), new Metadata());
    call.request(1);
  }

  /** Opens one and says who it is; null: does not say. */
  public static RawStream open(WireClient client, String clientId) {
    RawStream stream = new RawStream(client);
    StreamHello.Builder hello = StreamHello.newBuilder();
    if (clientId != null) {
      hello.setClientId(ByteString.copyFromUtf8(clientId));
    }
    stream.send(StreamRequests.newBuilder().setHello(hello));
    return stream;
  }

  RawStream send(StreamRequests.Builder requests) {
    return send(requests.build().toByteArray());
  }

  public RawStream send(StreamRequest.Builder... requests) {
    StreamRequests.Builder message = StreamRequests.newBuilder();
    for (StreamRequest.Builder request : requests) {
      message.addRequests(request);
    }
    return send(message);
  }

  RawStream send(byte[] message) {
    call.sendMessage(message);
    return this;
  }

  void halfClose() {
    call.halfClose();
  }

  StreamWelcome welcome() {
    return get(welcome);
  }

  /** The next answer, of whichever request. */
  public StreamResponse response() {
    try {
      StreamResponse response = responses.poll(30, TimeUnit.SECONDS);
      assertThat(response).as("no answer; the stream: %s", end.getNow(null)).isNotNull();
      return response;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** The next so many answers, by their numbers. */
  Map<Long, StreamResponse> responses(int count) {
    Map<Long, StreamResponse> byNumber = new HashMap<>();
    for (int i = 0; i < count; i++) {
      StreamResponse response = response();
      assertThat(byNumber.put(response.getNumber(), response)).as("answered twice").isNull();
    }
    return byNumber;
  }

  boolean hasResponse() {
    return !responses.isEmpty();
  }

  /** How many messages with answers there have been. */
  int messages() {
    return messages.get();
  }

  /** What the stream ends with. */
  public Status end() {
    return get(end);
  }

  boolean isEnded() {
    return end.isDone();
  }

  /** Takes no more messages, until it does again. */
  public void pause() {
    isTaking = false;
  }

  void resume() {
    isTaking = true;
    call.request(1);
  }

  private static <T> T get(CompletableFuture<T> future) {
    try {
      return future.get(30, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    call.cancel("the test is over", null);
  }

  private final class Answers extends ClientCall.Listener<byte[]> {
    @Override
    public void onMessage(byte[] bytes) {
      messages.incrementAndGet();
      // First, so that whoever has seen the answer knows whether one more will be taken.
      if (isTaking) {
        call.request(1);
      }
      try {
        StreamResponses message = StreamResponses.parseFrom(bytes);
        if (message.hasWelcome()) {
          welcome.complete(message.getWelcome());
        }
        responses.addAll(message.getResponsesList());
      } catch (InvalidProtocolBufferException e) {
        end.completeExceptionally(e);
      }
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      end.complete(status);
    }
  }

  /** Bytes as they are. */
  static final class Raw implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] bytes) {
      return new ByteArrayInputStream(bytes);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
