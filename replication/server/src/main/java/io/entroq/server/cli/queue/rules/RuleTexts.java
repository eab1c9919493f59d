package io.entroq.server.cli.queue.rules;

import io.entroq.api.EntroQException;
import io.entroq.api.Limiter;
import io.entroq.api.Policies;
import io.entroq.api.QueuePolicy;
import io.entroq.server.settings.DurationConverter;
import io.entroq.server.settings.SpellingSuggestion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.TypeConversionException;

/**
 * Rules as texts by key, in the order of {@link #KEYS}. A rule that is not set has no key. Only
 * {@code limiters} and {@code groups} may have several texts.
 */
public final class RuleTexts {
  public static final String LIMITERS = "limiters";

  public static final String GROUPS = "groups";

  private static final String RATE = "rate";
  private static final String BURST = "burst";
  private static final String IN_FLIGHT = "in-flight";
  private static final String RETRY_BASE = "retry-base";
  private static final String RETRY_MAX = "retry-max";
  private static final String RETRY_FACTOR = "retry-factor";
  private static final String RETRY_JITTER = "retry-jitter";
  private static final String ATTEMPTS = "attempts";
  private static final String LAPSES = "lapses";
  private static final String DEAD_QUEUE = "dead-queue";
  private static final String BREAKER_FAILURES = "breaker-failures";
  private static final String BREAKER_PAUSE = "breaker-pause";
  private static final String TTL = "ttl";
  private static final String EXPIRED_QUEUE = "expired-queue";
  private static final String MAX_TASKS = "max-tasks";
  private static final String MAX_BYTES = "max-bytes";
  private static final String OVERFLOW = "overflow";
  private static final String ORDER = "order";
  private static final String REMEMBER_IDS = "remember-ids";
  private static final String POOL = "pool";
  private static final String POOL_DEPTH = "pool-depth";
  private static final String POOL_IN_FLIGHT = "pool-in-flight";
  private static final String POOL_RATE = "pool-rate";
  private static final String POOL_BURST = "pool-burst";
  private static final String WEIGHT = "weight";
  private static final String RANK = "rank";

  /** The keys of a policy. */
  public static final List<String> KEYS =
      List.of(
          RATE,
          BURST,
          // Before the number in flight, which the strict order sets unless it is named.
          ORDER,
          IN_FLIGHT,
          LIMITERS,
          RETRY_BASE,
          RETRY_MAX,
          RETRY_FACTOR,
          RETRY_JITTER,
          ATTEMPTS,
          LAPSES,
          DEAD_QUEUE,
          BREAKER_FAILURES,
          BREAKER_PAUSE,
          TTL,
          EXPIRED_QUEUE,
          MAX_TASKS,
          MAX_BYTES,
          OVERFLOW,
          REMEMBER_IDS,
          POOL,
          POOL_DEPTH,
          POOL_IN_FLIGHT,
          POOL_RATE,
          POOL_BURST,
          WEIGHT,
          RANK,
          GROUPS);

  private static final List<String> LIMITER_KEYS = List.of(RATE, BURST, IN_FLIGHT);

  private static final List<String> NUMBERS =
      List.of(
          BURST,
          IN_FLIGHT,
          RETRY_FACTOR,
          RETRY_JITTER,
          ATTEMPTS,
          LAPSES,
          BREAKER_FAILURES,
          MAX_TASKS,
          MAX_BYTES,
          POOL_DEPTH,
          POOL_IN_FLIGHT,
          POOL_BURST,
          WEIGHT,
          RANK);

  private static final Pattern RATE_FORM = Pattern.compile("([0-9]+) ?/ ?(.+)");
  private static final QueuePolicy.Retry RETRY_DEFAULTS =
      QueuePolicy.Retry.exponential(Duration.ZERO, Duration.ZERO);

  private final Map<String, List<String>> texts;

  private RuleTexts(Map<String, List<String>> texts) {
    this.texts = texts;
  }

  /** The keys that rules of a kind may have. */
  public static List<String> keys(Policies.Kind kind) {
    return kind == Policies.Kind.LIMITER ? LIMITER_KEYS : KEYS;
  }

  /** Whether a key may have several texts. */
  public static boolean isList(String key) {
    return key.equals(LIMITERS) || key.equals(GROUPS);
  }

  /** Whether the text of a key is a number. */
  public static boolean isNumber(String key) {
    return NUMBERS.contains(key);
  }

  /** What a misspelled word was probably meant to be, as the end of a message. */
  public static String suggestion(String word, List<String> known) {
    return SpellingSuggestion.closest(word.toLowerCase(Locale.ROOT).replace('_', '-'), known)
        .or(() -> SpellingSuggestion.closest(dashed(word), known))
        .map("; did you mean %s?"::formatted)
        .orElseGet(() -> "; expected " + String.join(", ", known));
  }

  /** In flight for inFlight. */
  private static String dashed(String word) {
    return word.replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
  }

  /** The texts of rules. */
  public static Map<String, List<String>> of(Policies.Rules rules) {
    RuleTexts texts = new RuleTexts(new LinkedHashMap<>());
    if (rules instanceof Limiter limiter) {
      texts.addRate(RATE, BURST, limiter.rate());
      texts.add(IN_FLIGHT, limiter.inFlight());
    } else {
      texts.addPolicy((QueuePolicy) rules);
    }
    return texts.texts;
  }

  private void addPolicy(QueuePolicy policy) {
    addRate(RATE, BURST, policy.rate());
    if (policy.order() != QueuePolicy.Order.COIN) {
      add(ORDER, name(policy.order()));
    }
    add(IN_FLIGHT, policy.inFlight());
    if (!policy.limiters().isEmpty()) {
      texts.put(LIMITERS, policy.limiters());
    }
    policy.retry().ifPresent(this::addRetry);
    add(ATTEMPTS, policy.attempts());
    add(LAPSES, policy.lapses());
    add(DEAD_QUEUE, policy.deadQueue());
    policy
        .breaker()
        .ifPresent(
            breaker -> {
              add(BREAKER_FAILURES, breaker.failures());
              add(BREAKER_PAUSE, breaker.pause());
            });
    add(TTL, policy.timeToLive());
    add(EXPIRED_QUEUE, policy.expiredQueue());
    add(MAX_TASKS, policy.maxTasks());
    add(MAX_BYTES, policy.maxBytes());
    if (policy.overflow() != QueuePolicy.Overflow.REFUSE) {
      add(OVERFLOW, name(policy.overflow()));
    }
    add(REMEMBER_IDS, policy.rememberIds());
    policy.pool().ifPresent(this::addPool);
    add(WEIGHT, policy.weight() == 1 ? 0 : policy.weight());
    add(RANK, policy.rank());
    if (!policy.groups().isEmpty()) {
      texts.put(GROUPS, policy.groups());
    }
  }

  private void addPool(QueuePolicy.Pool pool) {
    add(POOL, name(pool.fairness()));
    add(POOL_DEPTH, pool.depth() == 1 ? 0 : pool.depth());
    add(POOL_IN_FLIGHT, pool.inFlight());
    addRate(POOL_RATE, POOL_BURST, pool.rate());
  }

  private void addRate(String key, String burstKey, Optional<QueuePolicy.Rate> rate) {
    rate.ifPresent(
        known -> {
          add(key, known.limit() + "/" + DurationConverter.print(known.period()));
          if (known.burst() != 1) {
            add(burstKey, known.burst());
          }
        });
  }

  private void addRetry(QueuePolicy.Retry retry) {
    texts.put(RETRY_BASE, List.of(DurationConverter.print(retry.base())));
    texts.put(RETRY_MAX, List.of(DurationConverter.print(retry.max())));
    addDecimal(RETRY_FACTOR, retry.factor(), RETRY_DEFAULTS.factor());
    addDecimal(RETRY_JITTER, retry.jitter(), RETRY_DEFAULTS.jitter());
  }

  private void addDecimal(String key, double value, double usual) {
    if (value != usual) {
      add(key, Double.toString(value).replaceAll("\\.0$", ""));
    }
  }

  private void add(String key, long number) {
    add(key, number == 0 ? "" : Long.toString(number));
  }

  private void add(String key, Duration time) {
    add(key, time.isZero() ? "" : DurationConverter.print(time));
  }

  private void add(String key, String text) {
    if (!text.isEmpty()) {
      texts.put(key, List.of(text));
    }
  }

  private static String name(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The rules of a target.
   *
   * @param texts by key; without texts, a rule is not set
   * @throws EntroQException.InvalidArgument if a key is unknown or a text invalid
   */
  public static Policies.Rules rules(Policies.Target target, Map<String, List<String>> texts) {
    List<String> known = keys(target.kind());
    for (String key : texts.keySet()) {
      if (!known.contains(key)) {
        throw invalid("unknown rule %s%s", key, suggestion(key, known));
      }
    }
    RuleTexts reader = new RuleTexts(texts);
    return switch (target.kind()) {
      case QUEUE -> reader.policy(QueuePolicy.of(target.name()));
      case PREFIX -> reader.policy(QueuePolicy.prefix(target.name()));
      case LIMITER -> reader.limiter(Limiter.of(target.name()));
    };
  }

  private Limiter limiter(Limiter empty) {
    Limiter limiter = new Limiter(empty.name(), rate(RATE, BURST), 0);
    return has(IN_FLIGHT) ? limiter.inFlight(integer(IN_FLIGHT)) : limiter;
  }

  private QueuePolicy policy(QueuePolicy empty) {
    QueuePolicy policy = empty;
    Optional<QueuePolicy.Rate> rate = rate(RATE, BURST);
    if (rate.isPresent()) {
      policy = policy.rate(rate.get().limit(), rate.get().period()).burst(rate.get().burst());
    }
    if (has(ORDER)) {
      policy = policy.order(choice(ORDER, QueuePolicy.Order.values()));
    }
    if (has(IN_FLIGHT)) {
      policy = policy.inFlight(integer(IN_FLIGHT));
    }
    if (has(LIMITERS)) {
      policy = policy.limiters(texts.get(LIMITERS).toArray(String[]::new));
    }
    return places(sizes(outcomes(policy)));
  }

  /** What the queue is to others: a pool, a member of one, a topic. */
  private QueuePolicy places(QueuePolicy before) {
    QueuePolicy policy = before;
    if (has(POOL)) {
      policy =
          policy.pool(
              new QueuePolicy.Pool(
                  choice(POOL, QueuePolicy.Fairness.values()),
                  has(POOL_DEPTH) ? integer(POOL_DEPTH) : 1,
                  has(POOL_IN_FLIGHT) ? integer(POOL_IN_FLIGHT) : 0,
                  rate(POOL_RATE, POOL_BURST)));
    } else {
      for (String key : List.of(POOL_DEPTH, POOL_IN_FLIGHT, POOL_RATE, POOL_BURST)) {
        if (has(key)) {
          throw invalid("%s needs pool", key);
        }
      }
    }
    if (has(WEIGHT)) {
      policy = policy.weight(integer(WEIGHT));
    }
    if (has(RANK)) {
      policy = policy.rank(integer(RANK));
    }
    return has(GROUPS) ? policy.groups(texts.get(GROUPS).toArray(String[]::new)) : policy;
  }

  private QueuePolicy outcomes(QueuePolicy before) {
    QueuePolicy policy = before;
    if (both(RETRY_BASE, RETRY_MAX, RETRY_FACTOR, RETRY_JITTER)) {
      policy =
          policy.retry(
              new QueuePolicy.Retry(
                  time(RETRY_BASE),
                  decimal(RETRY_FACTOR, RETRY_DEFAULTS.factor()),
                  time(RETRY_MAX),
                  decimal(RETRY_JITTER, RETRY_DEFAULTS.jitter())));
    }
    if (both(BREAKER_FAILURES, BREAKER_PAUSE)) {
      policy = policy.breaker(integer(BREAKER_FAILURES), time(BREAKER_PAUSE));
    }
    if (has(ATTEMPTS)) {
      policy = policy.attempts(integer(ATTEMPTS));
    }
    if (has(LAPSES)) {
      policy = policy.lapses(integer(LAPSES));
    }
    return has(DEAD_QUEUE) ? policy.deadQueue(text(DEAD_QUEUE)) : policy;
  }

  private QueuePolicy sizes(QueuePolicy before) {
    QueuePolicy policy = before;
    if (has(TTL)) {
      policy = policy.timeToLive(time(TTL));
    }
    if (has(EXPIRED_QUEUE)) {
      policy = policy.expiredQueue(text(EXPIRED_QUEUE));
    }
    if (has(MAX_TASKS)) {
      policy = policy.maxTasks(number(MAX_TASKS, Long.MAX_VALUE));
    }
    if (has(MAX_BYTES)) {
      policy = policy.maxBytes(number(MAX_BYTES, Long.MAX_VALUE));
    }
    if (has(OVERFLOW)) {
      policy = policy.overflow(choice(OVERFLOW, QueuePolicy.Overflow.values()));
    }
    return has(REMEMBER_IDS) ? policy.rememberIds(time(REMEMBER_IDS)) : policy;
  }

  private Optional<QueuePolicy.Rate> rate(String key, String burstKey) {
    if (!has(key)) {
      if (has(burstKey)) {
        throw invalid("%s needs a %s", burstKey, key);
      }
      return Optional.empty();
    }
    Matcher form = RATE_FORM.matcher(text(key));
    if (!form.matches()) {
      throw invalid("%s '%s' must be N/TIME, such as 100/1s or 5/1m30s", key, text(key));
    }
    long limit = number(key, form.group(1), Integer.MAX_VALUE);
    if (limit == 0) {
      throw invalid(
          "%s '%s' would start no task at all: to stop a queue, use entroq pause; to lift the"
              + " limit, leave the rate out",
          key, text(key));
    }
    // A unit alone is one of it.
    String period = form.group(2).replaceAll("^(?=[a-z])", "1");
    return Optional.of(
        new QueuePolicy.Rate(
            limit,
            time(key, period),
            has(burstKey) ? number(burstKey, text(burstKey), Integer.MAX_VALUE) : 1));
  }

  /** Whether there are the two rules that belong together; the others need them. */
  private boolean both(String first, String second, String... others) {
    if (has(first) && has(second)) {
      return true;
    }
    if (has(first) || has(second)) {
      throw invalid("%s and %s belong together; set both or none", first, second);
    }
    for (String other : others) {
      if (has(other)) {
        throw invalid("%s needs %s and %s", other, first, second);
      }
    }
    return false;
  }

  private boolean has(String key) {
    return texts.containsKey(key);
  }

  private String text(String key) {
    List<String> values = texts.get(key);
    if (values.size() != 1) {
      throw invalid("%s must have one value, has %d", key, values.size());
    }
    return values.get(0);
  }

  private int integer(String key) {
    return (int) number(key, Integer.MAX_VALUE);
  }

  private long number(String key, long max) {
    return number(key, text(key), max);
  }

  private static long number(String key, String text, long max) {
    try {
      long number = Long.parseLong(text);
      if (number >= 0 && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below, as other numbers out of range.
    }
    throw invalid("%s '%s' is not a whole number from 0 to %d", key, text, max);
  }

  private double decimal(String key, double usual) {
    if (!has(key)) {
      return usual;
    }
    try {
      return Double.parseDouble(text(key));
    } catch (NumberFormatException e) {
      throw invalid("%s '%s' is not a number", key, text(key));
    }
  }

  private Duration time(String key) {
    return time(key, text(key));
  }

  private static Duration time(String key, String text) {
    try {
      Duration time = new DurationConverter().convert(text);
      if (!time.equals(Duration.ofMillis(time.toMillis()))) {
        throw invalid("%s '%s' is not a whole number of milliseconds", key, text);
      }
      return time;
    } catch (TypeConversionException e) {
      throw invalid("%s: %s", key, e.getMessage());
    }
  }

  private <E extends Enum<E>> E choice(String key, E[] values) {
    String text = text(key);
    List<String> names = new ArrayList<>();
    for (E value : values) {
      if (name(value).equalsIgnoreCase(text)) {
        return value;
      }
      names.add(name(value));
    }
    throw invalid("%s '%s' is unknown%s", key, text, suggestion(text, names));
  }

  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be one more library
  private static EntroQException.InvalidArgument invalid(String format, Object... arguments) {
    return new EntroQException.InvalidArgument(format.formatted(arguments));
  }
}
