package io.entroq.server.demo.report;

import io.entroq.examples.mapreduce.Stage;
import java.util.Locale;
import java.util.Map;

/** A summary for programs: one JSON object on one line, in ASCII. */
public final class SummaryJson {
  private final StringBuilder json = new StringBuilder();

  private SummaryJson() {}

  public static String of(Summary summary, LogSize log) {
    SummaryJson object = new SummaryJson();
    object.bracket('{');
    object.input(summary);
    object.tasks(summary);
    object.run(summary.run());
    object.field("logBytes", log.bytes());
    object.field("logRecords", log.records());
    object.field("repeated", summary.isRepeated());
    object.field("equal", summary.isEqual());
    object.field("right", summary.isRight());
    object.bracket('}');
    return object.json.toString();
  }

  private void input(Summary summary) {
    field("directory", summary.job().root().toString());
    field("files", summary.job().files());
    field("binaryFiles", summary.job().binaryFiles());
    field("unreadableFiles", summary.job().unreadableFiles());
    field("bytes", summary.job().bytes());
    field("words", summary.words());
    field("distinctWords", summary.distinctWords());
    name("top");
    bracket('[');
    for (Map.Entry<String, Long> word : summary.top()) {
      separate();
      bracket('{');
      field("word", word.getKey());
      field("count", word.getValue());
      bracket('}');
    }
    bracket(']');
  }

  private void tasks(Summary summary) {
    for (Stage stage : Stage.values()) {
      field(stage.label() + "Tasks", summary.job().tasks(stage));
    }
    field("committed", summary.audit().committed());
    field("redeliveries", summary.audit().redeliveries());
    field("quarantined", summary.audit().quarantined());
    field("poison", summary.job().poison());
    field("lost", summary.audit().lost());
    field("committedTwice", summary.audit().committedTwice());
  }

  private void run(RunFigures run) {
    field("crashes", run.crashes());
    field("hangs", run.hangs());
    field("lateCommitsRefused", run.lateCommitsRefused());
    field("workers", run.workers());
    field("seed", run.seed());
    field("committedInRun", run.committed());
    field("elapsedMs", run.elapsedMs());
    field("cyclesPerSecond", run.cyclesPerSecond());
    field("durability", run.durability().name().toLowerCase(Locale.ROOT));
  }

  private void field(String name, String value) {
    name(name);
    quote(value);
  }

  private void field(String name, long value) {
    name(name);
    json.append(value);
  }

  private void field(String name, boolean value) {
    name(name);
    json.append(value);
  }

  private void name(String name) {
    separate();
    quote(name);
    json.append(':');
  }

  private void bracket(char bracket) {
    json.append(bracket);
  }

  /** Writes a comma, except before the first element. */
  private void separate() {
    char last = json.charAt(json.length() - 1);
    if (last != '{' && last != '[') {
      json.append(',');
    }
  }

  private void quote(String text) {
    json.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c >= ' ' && c <= '~') {
        json.append(c);
      } else {
        json.append("\\u%04x".formatted((int) c));
      }
    }
    json.append('"');
  }
}
