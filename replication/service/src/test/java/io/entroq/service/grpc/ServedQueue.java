package io.entroq.service.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.Value;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.service.call.Service;
import io.entroq.service.validation.ValidatedService;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.function.Executable;

/** A queue in memory, served over loopback, and a client of it. */
final class ServedQueue implements AutoCloseable {
  /** How Go says that there is no time. */
  static final long GO_NO_TIME_MS = -6_795_364_578_871L;

  /** As our servers name it. */
  private static final Metadata.Key<byte[]> DETAILS =
      Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);

  final EmbeddedEntroQ queue;
  final GrpcServer server;
  final WireClient client;

  ServedQueue() {
    this(EmbeddedConfig.inMemory().build());
  }

  ServedQueue(EmbeddedConfig config) {
    this(config, UnaryOperator.identity());
  }

  /** With something before its services. */
  ServedQueue(UnaryOperator<Service> before) {
    this(EmbeddedConfig.inMemory().build(), before);
  }

  private ServedQueue(EmbeddedConfig config, UnaryOperator<Service> before) {
    queue = EmbeddedEntroQ.open(config);
    try {
      server =
          GrpcServer.start(
              queue.gateway(),
              GrpcServerConfig.on(0),
              service -> new ValidatedService(before.apply(service)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    client = connect();
  }

  /** One more connection, for whoever calls this to close. */
  WireClient connect() {
    return new WireClient(server.port());
  }

  /** What a call is refused with. */
  static StatusRuntimeException refusal(Executable call) {
    try {
      call.execute();
    } catch (StatusRuntimeException e) {
      return e;
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
    throw new AssertionError("the call was answered");
  }

  /** Holds that a call is refused as wrong, with words that the message has in it. */
  static void refuses(Executable call, String... words) {
    Status status = refusal(call).getStatus();
    assertThat(status.getCode()).as("%s", status).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(status.getDescription()).contains(words);
  }

  /** The details of an error, as the trailer of the protocol has them. */
  static List<Any> details(StatusRuntimeException e) {
    Metadata trailers = e.getTrailers();
    assertThat(trailers).isNotNull();
    try {
      return com.google.rpc.Status.parseFrom(trailers.get(DETAILS)).getDetailsList();
    } catch (IOException wrong) {
      throw new UncheckedIOException(wrong);
    }
  }

  static Value text(String text) {
    return Value.newBuilder().setStringValue(text).build();
  }

  @Override
  public void close() {
    client.close();
    server.close();
    queue.close();
  }
}
