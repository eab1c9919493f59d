package io.entroq.server.cli.queue;

import io.entroq.api.EntroQ;
import io.entroq.api.Policies;
import io.entroq.server.cli.queue.rules.RuleTexts;
import io.entroq.server.cli.queue.rules.RulesChange;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Sets rules of one target; the others stay. */
abstract class RulesSetCommand extends RulesCommand {
  @Option(
      names = "--unset",
      paramLabel = "RULE",
      description = "Remove this rule, such as rate; repeatable.")
  private List<String> unset = List.of();

  @Option(names = "--replace", description = "Remove all rules that are not given.")
  private boolean isReplacing;

  @Option(names = "--dry-run", description = "Write nothing; print what would change.")
  private boolean isDryRun;

  private Policies.Target target;

  /** The target that the options name. */
  abstract Policies.Target target();

  /** The rules that the options give, by key. */
  abstract Map<String, List<String>> given();

  @Override
  final void checkOptions() {
    target = target();
    List<String> known = RuleTexts.keys(target.kind());
    for (String key : unset) {
      if (!known.contains(key)) {
        throw usageError("--unset: unknown rule " + key + RuleTexts.suggestion(key, known));
      }
      if (given().containsKey(key)) {
        throw usageError("--unset %s and --%s contradict each other".formatted(key, key));
      }
    }
    if (given().isEmpty() && unset.isEmpty() && !isReplacing) {
      throw usageError("Missing rules, such as --rate 100/1s; --replace alone removes all");
    }
  }

  @Override
  final boolean isReading() {
    return isDryRun;
  }

  @Override
  final int work(EntroQ queue) {
    Optional<Policies.Entry> before = queue.policies().get(target);
    Map<String, List<String>> texts = new LinkedHashMap<>();
    if (!isReplacing) {
      before.flatMap(Policies.Entry::rules).map(RuleTexts::of).ifPresent(texts::putAll);
    }
    unset.forEach(texts::remove);
    texts.putAll(given());
    RulesChange change = new RulesChange(before, RuleTexts.rules(target, texts));
    return put(queue, List.of(change), isDryRun);
  }
}
