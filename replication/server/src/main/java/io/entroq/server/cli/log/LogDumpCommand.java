package io.entroq.server.cli.log;

import io.entroq.codec.record.RecordType;
import io.entroq.tools.log.JsonLines;
import io.entroq.tools.log.LogDump;
import io.entroq.tools.log.LogReading;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code log dump} command: see {@link LogDump}. */
@Command(
    name = "dump",
    header = "Print the records of a log, one JSON object per line.",
    description = {
      "",
      "Each object has the sequence, log time, type, the newest sequence known to be on disk at"
          + " that time, length, file, offset, and the complete command. Without --values, only"
          + " the type and size of a value are shown.",
      "",
      "Every record is checked. If the log is damaged, the intact records are printed, then a"
          + " line {\"damage\": ...} that says where and what to do. An incomplete last record,"
          + " as a crash leaves it, is not damage: it is printed as {\"tornTail\": ...}. While an"
          + " engine is running, that may be the record that it is writing.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  entroq log dump data                         all records",
      "  entroq log dump data --from 700 --limit 20   twenty of them",
      "  entroq log dump data --type modify --values  writes, with their values",
      "  entroq log dump data | jq .command.queues    queues of all requests",
      "",
      "Exit status: 0 if all that was read is intact; 1 if the log is damaged or cannot be read;"
          + " 2 if the command line is wrong. With --to or --limit, the log after the last"
          + " printed record is not read."
    },
    mixinStandardHelpOptions = true)
final class LogDumpCommand extends LogToolCommand {
  private static final int ALL_TYPES = -1;

  @Spec private CommandSpec spec;

  @Option(names = "--from", paramLabel = "SEQ", description = "First sequence. Default: 1.")
  private long from = 1;

  @Option(names = "--to", paramLabel = "SEQ", description = "Last sequence. Default: the end.")
  private long to = Long.MAX_VALUE;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Maximum number of records to print. Default: all.")
  private long limit = Long.MAX_VALUE;

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      description =
          "Only records of this type, such as claim or modify; repeatable. Default: all types.")
  private List<String> types = List.of();

  @Option(
      names = "--values",
      description = "Also show values: JSON as is, bytes as text if they are text, else in base64.")
  private boolean withValues;

  private LogDump.Selection selection;

  @Override
  boolean printsAtEnd() {
    return false;
  }

  @Override
  void run(LogReading reading, JsonLines lines) {
    new LogDump(reading, selection, lines).run();
  }

  @Override
  void checkOptions() {
    if (from < 0 || to < from || limit < 1) {
      throw new ParameterException(
          spec.commandLine(),
          "--from %d --to %d --limit %d selects no records".formatted(from, to, limit));
    }
    int mask = types.isEmpty() ? ALL_TYPES : 0;
    for (String type : types) {
      mask |= 1 << number(type);
    }
    selection = new LogDump.Selection(from, to, limit, mask, withValues);
  }

  private int number(String name) {
    return knownTypes()
        .filter(type -> RecordType.name(type).equalsIgnoreCase(name.replace('-', '_')))
        .findAny()
        .orElseThrow(
            () ->
                new ParameterException(
                    spec.commandLine(),
                    "--type %s: unknown type; expected one of %s".formatted(name, typeNames())));
  }

  private static String typeNames() {
    return knownTypes()
        .mapToObj(type -> RecordType.name(type).toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(", "));
  }

  private static IntStream knownTypes() {
    return IntStream.rangeClosed(RecordType.GENESIS, RecordType.CLAIM_DOCS);
  }
}
