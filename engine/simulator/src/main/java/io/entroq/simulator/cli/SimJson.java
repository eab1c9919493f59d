package io.entroq.simulator.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.entroq.simulator.fault.FaultChoice;
import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.world.Failure;
import io.entroq.simulator.world.SimulationReport;
import io.entroq.simulator.world.WorldConfig;
import io.entroq.tools.log.JsonLines;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;

/**
 * A result for programs: one JSON object on one line, in ASCII, and identical for identical worlds.
 * Its keys are stable: they keep their meaning and are never removed; new ones may be added.
 */
final class SimJson {
  private final JsonGenerator json;

  private SimJson(JsonGenerator json) {
    this.json = json;
  }

  static void print(PrintWriter out, SimResult result) {
    try (JsonLines lines = new JsonLines(out)) {
      lines.line(json -> new SimJson(json).write(result));
    }
  }

  private void write(SimResult result) throws IOException {
    SimulationReport report = result.report();
    json.writeNumberField("seed", report.config().seed());
    json.writeNumberField("hours", report.hours());
    json.writeNumberField("requests", report.requests());
    json.writeNumberField("commits", report.commits());
    json.writeNumberField("steps", report.steps());
    writeFaults(report.faults());
    json.writeNumberField("violations", result.isWrong() ? 1 : 0);
    json.writeStringField("trace", report.traceHash());
    json.writeBooleanField("interrupted", result.isInterrupted());
    json.writeObjectFieldStart("world");
    write(report.config());
    json.writeEndObject();
    if (result.isWrong()) {
      writeViolation(result);
    }
  }

  private void writeFaults(Map<FaultKind, Long> faults) throws IOException {
    json.writeObjectFieldStart("faults");
    for (FaultKind kind : FaultKind.values()) {
      if (faults.containsKey(kind)) {
        json.writeNumberField(kind.label(), faults.get(kind));
      }
    }
    json.writeEndObject();
  }

  private void writeViolation(SimResult result) throws IOException {
    writeFailure(result.report().failure().orElseThrow());
    if (result.smallest().isPresent()) {
      SimulationReport smallest = result.smallest().get();
      json.writeObjectFieldStart("smallest");
      write(smallest.config());
      writeFailure(smallest.failure().orElseThrow());
      json.writeStringField("trace", smallest.traceHash());
      json.writeEndObject();
    }
    json.writeStringField("replay", ReplayCommand.command(result.simplest().config()));
  }

  private void writeFailure(Failure failure) throws IOException {
    json.writeStringField("invariant", failure.invariant());
    json.writeStringField("subject", failure.subject());
    json.writeStringField("detail", failure.detail());
    json.writeNumberField("step", failure.step());
    json.writeNumberField("virtualNs", failure.virtualNs());
    json.writeArrayFieldStart("lastCommands");
    for (String command : failure.lastCommands()) {
      json.writeString(command);
    }
    json.writeEndArray();
  }

  private void write(WorldConfig config) throws IOException {
    json.writeNumberField("hours", config.hours());
    json.writeNumberField("clients", config.clients());
    json.writeNumberField("rate", config.requestsPerSecond());
    json.writeStringField("durability", config.durability().name().toLowerCase(Locale.ROOT));
    json.writeNumberField("members", config.members());
    json.writeStringField("faults", FaultChoice.print(config.faults()));
  }
}
