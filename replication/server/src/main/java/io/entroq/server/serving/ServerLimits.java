package io.entroq.server.serving;

import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.maintenance.HistoryPolicy;
import io.entroq.server.settings.ConsoleSettings;
import io.entroq.server.settings.LimitSettings;
import io.entroq.server.settings.ListeningSettings;
import io.entroq.server.settings.Settings;
import io.entroq.server.settings.StoreSettings;
import io.entroq.service.admission.AdmissionConfig;
import io.entroq.service.grpc.GrpcLimits;
import io.entroq.service.limit.LeaseBounds;
import java.time.Duration;

/** Converts the limits in the settings to the form that each part of a server needs. */
final class ServerLimits {
  private static final int MIB_BITS = 20;

  /** By default, calls may use the heap divided by this. */
  private static final int HEAP_DIVISOR = 2;

  /** Incoming calls, running calls, listings and HTTP get equal shares. */
  private static final int SHARES = 4;

  /** The largest value that the engine accepts. */
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

  /** The memory of each share in bytes: enough for at least one request. */
  long shareBytes() {
    long total =
        settings
            .find(LimitSettings.CALL_BYTES_MAX)
            .orElseGet(() -> Runtime.getRuntime().maxMemory() / HEAP_DIVISOR);
    return Math.max(total / SHARES, messageBytesMax());
  }

  /**
   * The bytes of requests in the engine, large enough that the engine never refuses an admitted
   * request. The engine rounds up to whole kibibytes and releases them shortly after admission
   * does.
   */
  long engineBytesMax() {
    long bytes = Math.max(2 * shareBytes(), settings.get(LimitSettings.COMMAND_BYTES_MAX));
    return Math.min(bytes, ENGINE_BYTES_MAX);
  }

  /** Sets the limits of an engine or a member. */
  void applyTo(EmbeddedConfig.Builder config) {
    config
        .valueBytesMax(Math.toIntExact(settings.get(LimitSettings.VALUE_BYTES_MAX)))
        .commandBytesMax(Math.toIntExact(settings.get(LimitSettings.COMMAND_BYTES_MAX)))
        .queueTasksMax(settings.get(LimitSettings.QUEUE_TASKS_MAX))
        .policiesMax(Math.toIntExact(settings.get(LimitSettings.POLICIES_MAX)))
        // Twice, for as many listings. With slack, since requests that end leave admission shortly
        // before they leave the engine.
        .requestsInFlightMax(2 * withSlack(settings.get(LimitSettings.REQUESTS_MAX)))
        .waitingClaimsMax(withSlack(settings.get(LimitSettings.WAITING_CLAIMS_MAX)))
        .bytesInFlightMax(engineBytesMax());
    settings.find(LimitSettings.MEMORY_BYTES_MAX).ifPresent(config::memoryBytesMax);
    settings.find(LimitSettings.REPLAY_BYTES_MAX).ifPresent(config::replayBytesMax);
    config
        .diskLowBytes(settings.get(LimitSettings.DISK_LOW_BYTES))
        .diskFullBytes(settings.get(LimitSettings.DISK_FULL_BYTES));
  }

  /** How much of the past is kept: as it is set, else as much as a console shows. */
  HistoryPolicy history() {
    return settings
        .find(StoreSettings.HISTORY)
        .orElse(
            settings.get(ConsoleSettings.CONSOLE) ? HistoryPolicy.OF_CONSOLE : HistoryPolicy.OFF);
  }

  private static int withSlack(int limit) {
    return limit + limit / 4 + 16;
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

  LeaseBounds leases() {
    return LeaseBounds.of(
        settings.get(LimitSettings.CLAIM_LEASE_DEFAULT),
        settings.get(LimitSettings.CLAIM_LEASE_FLOOR),
        settings.get(LimitSettings.CLAIM_LEASE_CEILING));
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
