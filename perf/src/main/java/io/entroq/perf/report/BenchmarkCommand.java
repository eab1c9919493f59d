package io.entroq.perf.report;

import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

/** A benchmark with a command line. Its report begins with its options and the machine. */
@Command(mixinStandardHelpOptions = true)
public abstract class BenchmarkCommand implements Callable<Integer> {
  private static final Pattern NEXT_WORD = Pattern.compile("-(.)");

  @Spec private CommandSpec spec;

  /** Runs a benchmark and exits. */
  protected static void run(Object command, String[] args) {
    System.exit(new CommandLine(command).setCaseInsensitiveEnumValuesAllowed(true).execute(args));
  }

  @Override
  public final Integer call() throws Exception {
    Report report = new Report(getClass());
    spec.positionalParameters().forEach(arg -> addSetting(report, arg.paramLabel(), arg));
    for (OptionSpec option : spec.options()) {
      if (!option.usageHelp() && !option.versionHelp()) {
        addSetting(report, settingName(option.longestName()), option);
      }
    }
    report.begin();
    measure(report);
    report.end();
    return report.hasFailed() ? 1 : 0;
  }

  private static void addSetting(Report report, String name, ArgSpec arg) {
    Object value = arg.getValue();
    if (value != null && !value.equals(Optional.empty())) {
      report.setting(name, value instanceof Optional<?> optional ? optional.get() : value);
    }
  }

  /** {@code --value-bytes} becomes {@code valueBytes}. */
  private static String settingName(String option) {
    return NEXT_WORD
        .matcher(option.substring(2))
        .replaceAll(match -> match.group(1).toUpperCase(Locale.ROOT));
  }

  /** Measures, prints tables and adds figures. */
  protected abstract void measure(Report report) throws Exception;
}
