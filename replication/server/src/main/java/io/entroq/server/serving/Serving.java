package io.entroq.server.serving;

import io.entroq.api.EntroQException;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.Closing;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.gateway.Completion;
import io.entroq.server.service.grpc.GrpcServer;
import io.entroq.server.service.grpc.GrpcServerConfig;
import io.entroq.server.settings.ServerSettings;
import io.entroq.server.settings.Settings;
import io.entroq.server.terminal.CommandException;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;

/**
 * A queue and all by which it is served: begins from the inside out, and ends from the outside in.
 * Any thread.
 */
public final class Serving implements AutoCloseable {
  private static final int MIB_BITS = 20;

  private static final Completion UNHEARD =
      new Completion() {
        @Override
        public void onResult(ResultDecoder result) {}

        @Override
        public void onFailure(EntroQException failure) {}
      };

  private final Settings settings;
  private final EmbeddedEntroQ queue;
  private final GrpcServer grpc;

  private Serving(Settings settings, EmbeddedEntroQ queue) {
    this.settings = settings;
    this.queue = queue;
    grpc = startGrpc();
  }

  /**
   * Opens the queue and serves it. If a part of it cannot begin, none stays.
   *
   * @throws CommandException if it cannot; the message says which part, and why
   * @throws io.entroq.engine.log.LogException if it is the log
   */
  public static Serving start(Settings settings) {
    EmbeddedEntroQ queue = new EngineSetUp(settings).open();
    try {
      return new Serving(settings, queue);
    } catch (Throwable t) {
      Closing.after(t, queue);
      throw t;
    }
  }

  private GrpcServer startGrpc() {
    int port = settings.get(ServerSettings.PORT);
    try {
      return GrpcServer.start(
          queue.gateway(),
          new GrpcServerConfig(port, settings.get(ServerSettings.MAX_SIZE_MB) << MIB_BITS));
    } catch (IOException e) {
      Throwable why = e.getCause() == null ? e : e.getCause();
      throw new CommandException(
          "cannot listen on port %d: %s".formatted(port, why.getMessage()), e);
    }
  }

  /** The port of gRPC. */
  public int port() {
    return grpc.port();
  }

  /** What is kept, where, and what an answer promises. */
  public String store() {
    return StoreDirectory.of(settings)
        .map(
            path ->
                "%s, durability %s"
                    .formatted(
                        path,
                        new EngineSetUp(settings).durability().name().toLowerCase(Locale.ROOT)))
        .orElse("memory; nothing is kept when it ends");
  }

  /**
   * Returns if the engine takes requests.
   *
   * @throws EntroQException.Closed if it has failed; the message says why
   */
  public void requireOpen() {
    try {
      queue.gateway().time(UNHEARD);
    } catch (EntroQException.ResourceExhausted e) {
      // It is busy, and so it is open.
    }
  }

  /**
   * Ends without an error for anybody who keeps to time: nobody is let in any more, claims that
   * wait are told to ask again, and everything else may finish.
   *
   * @param patience after which connections are cut
   * @return whether all has finished within that time
   */
  public boolean drain(Duration patience) {
    return grpc.drain(patience);
  }

  /** Cuts all connections; a {@link #drain} that is under way ends by it. */
  public void cut() {
    grpc.close();
  }

  @Override
  public void close() {
    try {
      grpc.close();
    } finally {
      queue.close();
    }
  }
}
