package io.entroq.server.bench;

import com.fasterxml.jackson.core.JsonGenerator;
import io.entroq.load.LoadConfig;
import io.entroq.load.LoadResult;
import io.entroq.load.Machine;
import io.entroq.load.Operation;
import io.entroq.load.Percentiles;
import io.entroq.load.ledger.Balance;
import io.entroq.tools.log.JsonLines;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;

/**
 * A result for programs: one JSON object on one line, in ASCII. Its keys are stable: new ones may
 * be added, but none is removed or changes its meaning.
 */
public final class BenchJson {
  private final LoadResult result;
  private final TargetDescription target;
  private final Machine machine;

  private BenchJson(LoadResult result, TargetDescription target, Machine machine) {
    this.result = result;
    this.target = target;
    this.machine = machine;
  }

  public static void print(
      PrintWriter out, LoadResult result, TargetDescription target, Machine machine) {
    try (JsonLines lines = new JsonLines(out)) {
      lines.line(new BenchJson(result, target, machine)::write);
    }
  }

  private void write(JsonGenerator json) throws IOException {
    number(json, "cyclesPerSecond", result.cyclesPerSecond());
    number(json, "tasksPerSecond", result.tasksPerSecond());
    json.writeNumberField("cycles", result.totals().measuredCycles());
    number(json, "measuredSeconds", result.measuredNs() / 1e9);
    writeBalance(json, result.balance());
    writeLatencies(json);
    if (result.config().rate().isPresent()) {
      json.writeNumberField("overdue", result.overdue());
      json.writeNumberField("overdueMax", result.overdueMost());
    }
    json.writeStringField("sync", target.level().map(BenchJson::lower).orElse(null));
    writeSettings(json, result.config());
    json.writeBooleanField("interrupted", result.isInterrupted());
    json.writeBooleanField("checked", result.balance().isComplete());
    if (result.failure().isPresent()) {
      json.writeStringField("failure", result.failure().get());
    }
    json.writeBooleanField("right", result.isRight());
    writeMachine(json);
  }

  private static void writeBalance(JsonGenerator json, Balance balance) throws IOException {
    json.writeNumberField("inserted", balance.inserted());
    json.writeNumberField("claimed", balance.claimed());
    json.writeNumberField("deleted", balance.deleted());
    if (balance.isComplete()) {
      json.writeNumberField("remaining", balance.remaining());
      json.writeNumberField("remainingByStatistics", balance.remainingByStatistics());
      json.writeNumberField("lost", balance.lost());
    } else {
      json.writeNullField("remaining");
      json.writeNullField("remainingByStatistics");
      json.writeNullField("lost");
    }
    json.writeNumberField("doubled", balance.doubled());
    json.writeNumberField("unknown", balance.unknown());
  }

  private void writeLatencies(JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("latencyMicros");
    for (Operation operation : Operation.values()) {
      if (operation != Operation.LATE || result.config().rate().isPresent()) {
        write(json, lower(operation), result.latencies().get(operation));
      }
    }
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, String name, Percentiles micros)
      throws IOException {
    json.writeObjectFieldStart(name);
    json.writeNumberField("count", micros.count());
    number(json, "p50", micros.p50());
    number(json, "p90", micros.p90());
    number(json, "p99", micros.p99());
    number(json, "p99.9", micros.p999());
    number(json, "max", micros.max());
    json.writeEndObject();
  }

  private void writeSettings(JsonGenerator json, LoadConfig config) throws IOException {
    json.writeObjectFieldStart("settings");
    if (target.server().isPresent()) {
      json.writeStringField("server", target.server().get());
      json.writeNumberField("connections", target.connections());
    }
    json.writeStringField("data", target.data().map(Object::toString).orElse(null));
    json.writeStringField("fileSystem", target.fileSystem().orElse(null));
    number(json, "warmupSeconds", config.warmUp().toNanos() / 1e9);
    number(json, "seconds", config.duration().toNanos() / 1e9);
    json.writeNumberField("callers", config.callers());
    json.writeNumberField("batch", config.batch());
    json.writeNumberField("valueBytes", config.valueBytes());
    json.writeNumberField("backlog", config.backlog());
    json.writeNumberField("queues", config.queues());
    if (config.rate().isPresent()) {
      number(json, "rate", config.rate().getAsDouble());
    } else {
      json.writeNullField("rate");
    }
    json.writeStringField("queuePrefix", result.queues());
    json.writeEndObject();
  }

  private void writeMachine(JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("machine");
    json.writeNumberField("cores", machine.cores());
    json.writeStringField("cpu", machine.cpu());
    json.writeNumberField("memoryBytes", machine.memoryBytes());
    json.writeStringField("os", machine.os());
    json.writeStringField("jvm", machine.jvm());
    json.writeNumberField("heapBytesMax", machine.heapBytesMax());
    json.writeNumberField("directBytesMax", machine.directBytesMax());
    json.writeStringField("collectors", machine.collectors());
    number(json, "loadBefore", machine.load());
    json.writeEndObject();
  }

  /** Rounds to three decimals, which is beyond the precision of any measurement. */
  private static void number(JsonGenerator json, String name, double value) throws IOException {
    json.writeNumberField(name, Math.rint(value * 1e3) / 1e3);
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
