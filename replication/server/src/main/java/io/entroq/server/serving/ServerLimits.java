package io.entroq.server.serving;

import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.server.settings.LimitSettings;
import io.entroq.server.settings.ListeningSettings;
import io.entroq.server.settings.Settings;
import io.entroq.service.admission.AdmissionConfig;
import io.entroq.service.grpc.GrpcLimits;
import java.time.Duration;

/** The limits in the settings, as each part of a server takes them. */
final class ServerLimits {
  private static final int MIB_BITS = 20;

  /** By default, calls may use one part in this many of the heap. */
  private static final int HEAP_PART = 2;

  /** Incoming calls, running calls, listings and HTTP have equal shares. */
  private static final int SHARES = 4;

  /** The most that the engine accepts. */
  private static final long ENGINE_BYTES_MAX = 1L << 38;

  private final Settings settings;

  ServerLimits(Settings settings) {
    this.settings = settings;
  }

  int messageBytesMax() {
    return settings.get(ListeningSettings.MAX_SIZE_MB) << MIB_BITS;
  }

  int headerBytesMax() {
    return Math.toIntExact(settings.get(LimitSettings.HEADER_BYTES_MAX));
  }

  int connectionsMax() {
    return settings.get(LimitSettings.CONNECTIONS_MAX);
  }

  /** What each of those may have in memory that share it; at least one request. */
  long shareBytes() {
    long all =
        settings
            .find(LimitSettings.CALL_BYTES_MAX)
            .orElseGet(() -> Runtime.getRuntime().maxMemory() / HEAP_PART);
    return Math.max(all / SHARES, messageBytesMax());
  }

  /**
   * What requests may have in the engine: so much that it is never the engine that refuses what has
   * been let in. It counts whole kibibytes, and lets go of them a moment after callers have room.
   */
  long engineBytesMax() {
    long bytes = Math.max(2 * shareBytes(), settings.get(LimitSettings.COMMAND_BYTES_MAX));
    return Math.min(bytes, ENGINE_BYTES_MAX);
  }

  /** Sets the limits of an engine or a member. */
  void bound(EmbeddedConfig.Builder config) {
    config
        .valueBytesMax(Math.toIntExact(settings.get(LimitSettings.VALUE_BYTES_MAX)))
        .commandBytesMax(Math.toIntExact(settings.get(LimitSettings.COMMAND_BYTES_MAX)))
        .queueTasksMax(settings.get(LimitSettings.QUEUE_TASKS_MAX))
        // As many listings besides; and what is answered or given up makes room for callers a
        // moment before it makes room in the engine.
        .requestsInFlightMax(2 * withSlack(settings.get(LimitSettings.REQUESTS_MAX)))
        .waitingClaimsMax(withSlack(settings.get(LimitSettings.WAITING_CLAIMS_MAX)))
        .bytesInFlightMax(engineBytesMax());
    settings.find(LimitSettings.MEMORY_BYTES_MAX).ifPresent(config::memoryBytesMax);
    config
        .diskLowBytes(settings.get(LimitSettings.DISK_LOW_BYTES))
        .diskFullBytes(settings.get(LimitSettings.DISK_FULL_BYTES));
  }

  private static int withSlack(int bound) {
    return bound + bound / 4 + 16;
  }

  GrpcLimits grpc() {
    return new GrpcLimits(
        connectionsMax(),
        settings.get(LimitSettings.CONNECTION_CALLS_MAX),
        settings.get(LimitSettings.CALLS_MAX),
        shareBytes(),
        headerBytesMax(),
        stallMax());
  }

  Duration stallMax() {
    return settings.get(LimitSettings.STALL_MAX);
  }

  AdmissionConfig admission() {
    return new AdmissionConfig(
        settings.get(LimitSettings.REQUESTS_MAX),
        settings.get(LimitSettings.WAITING_CLAIMS_MAX),
        shareBytes(),
        messageBytesMax(),
        settings.get(LimitSettings.TURN_REQUESTS_MAX),
        settings.get(LimitSettings.TURN_BYTES_MAX),
        settings.get(LimitSettings.TURN_WAIT_MAX));
  }
}
