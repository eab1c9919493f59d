package io.entroq.server.damage;

import com.fasterxml.jackson.databind.JsonNode;
import io.entroq.api.Durability;
import io.entroq.codec.command.ModifyEncoder;
import io.entroq.codec.message.IdFields;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.embedded.DrivenEngine;
import io.entroq.engine.embedded.EngineEnvironment;
import io.entroq.engine.embedded.RecoveryPoint;
import io.entroq.engine.fault.FaultHook;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.SegmentLayout;
import io.entroq.engine.log.chronicle.ChronicleLog;
import io.entroq.engine.maintenance.SteppedMaintenance;
import io.entroq.engine.time.ManualClock;
import io.entroq.server.cli.Cli;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Damages a directory, lets an engine open one copy of it, {@code log verify} look at another, and
 * an operator follow the advice in a third, and says what is wrong with the outcome.
 */
final class Trial {
  private static final int ADVICE_MAX = 4;
  private static final Pattern CUT = Pattern.compile("log repair \\S+ --cut-at (\\d+)");
  private static final Pattern MOVE =
      Pattern.compile("(\\S+) does not belong there: .* [Mm]ove it away from (\\S+)\\.");
  private static final Pattern OTHERS = Pattern.compile("The same applies to (.+\\.cq4)\\. ");
  private static final Pattern RENAME =
      Pattern.compile(
          "(\\S+) does not belong there: .* By its first record it is (\\S+): rename it to that"
              + ".* [Mm]ove it away from (\\S+)\\.");
  private static final Pattern NUMBER =
      Pattern.compile("for another run after (\\S+)\\. If that run was renamed, call it (\\S+);");
  private static final Pattern AWAY =
      Pattern.compile("no number left in (\\S+) for another run after (\\S+)\\. Move it away");
  private static final IdFields ME = new IdFields().set(0, 42);

  private final Ground ground;
  private final List<Harm> harms;
  private final Path place;
  private final Path damaged;
  private final List<String> complaints = new ArrayList<>();
  private Outcome opened;

  /** The record of the newest good snapshot; 0 if there is none. */
  private long base;

  private Trial(Ground ground, List<Harm> harms, Path place) {
    this.ground = ground;
    this.harms = harms;
    this.place = place;
    this.damaged = place.resolve("damaged");
  }

  /**
   * What came of it.
   *
   * @param isApplicable whether the harms could be done one after the other
   * @param refusal why it was not opened; null: it was
   * @param complaints what should have been otherwise
   */
  record Report(boolean isApplicable, String refusal, List<String> complaints) {}

  /**
   * Does it.
   *
   * @param place a directory for this alone, that does not exist and is gone afterwards
   */
  static Report of(Ground ground, List<Harm> harms, Path place) throws IOException {
    Trial trial = new Trial(ground, harms, place);
    try {
      return trial.run();
    } finally {
      Tree.delete(place);
    }
  }

  private Report run() throws IOException {
    Files.createDirectories(place);
    Tree.copy(ground.directory(), damaged);
    try {
      for (Harm harm : harms) {
        harm.deed().to(damaged);
      }
    } catch (FileSystemException e) {
      return new Report(false, null, List.of());
    }
    if (isWhollyOfAnother()) {
      return new Report(false, null, List.of());
    }
    long best = best();
    JsonNode verified = verify(best);
    judgeOpened(best, verified);
    if (opened.refusal != null) {
      follow(best);
    }
    return new Report(true, opened.refusal, List.copyOf(complaints));
  }

  /**
   * Whether another log lies there whole, and ours has neither its beginning in its place nor a
   * snapshot: then nothing says which of them it should be.
   */
  private boolean isWhollyOfAnother() throws IOException {
    boolean isOther = false;
    boolean isOurs = false;
    for (Path run : Tree.children(damaged.resolve("log"))) {
      for (Path file : Tree.children(run)) {
        boolean isFirst = file.endsWith(SegmentLayout.fileName(0));
        for (FoundRecord each : isFirst ? FoundRecord.in(file) : List.<FoundRecord>of()) {
          boolean isGenesis = each.type() == RecordType.GENESIS;
          isOther |= isGenesis && !ground.places().containsKey(each);
          isOurs |= isGenesis && !isOther && ground.places().containsKey(each);
        }
      }
    }
    boolean hasSnapshot = !Tree.children(damaged.resolve("snapshots")).isEmpty();
    return isOther && !isOurs && !hasSnapshot;
  }

  private void complain(String format, Object... args) {
    complaints.add(format.formatted(args));
  }

  // Verify.

  private JsonNode verify(long best) throws IOException {
    Path copy = place.resolve("verified");
    Tree.copy(damaged, copy);
    Map<String, Integer> before = Tree.image(copy);
    Path other = place.resolve("opened");
    Tree.copy(damaged, other);
    opened = open(other, Long.MAX_VALUE);
    Cli cli =
        Cli.run(
            "log", "verify", copy, "--durability", ground.level().name().toLowerCase(Locale.ROOT));
    if (!Tree.image(copy).equals(before)) {
      complain("log verify changed the directory");
    }
    if ((cli.status() == 0) != (opened.refusal == null)) {
      complain(
          "an engine %s, log verify ends with %d: %s",
          opened.refusal == null ? "opens it" : "refuses it: " + opened.refusal,
          cli.status(),
          cli.err());
    }
    JsonNode last = cli.out().isEmpty() ? null : cli.lastLine();
    if (cli.status() == 0) {
      agree(last);
    } else {
      saysTheSame(cli.err().replace(copy.toString(), other.toString()));
      advises(cli.err(), best);
    }
    return last;
  }

  private void agree(JsonNode last) {
    if (opened.refusal != null) {
      return;
    }
    boolean isEmpty = opened.sequence == 0;
    boolean isEqual =
        last.get("ok").asBoolean()
            && last.path("lastSequence").asLong() == opened.sequence
            && (isEmpty || hasDigestsOf(last));
    if (!isEqual) {
      complain("an engine opens it at record %,d, log verify says %s", opened.sequence, last);
    }
  }

  private void saysTheSame(String message) {
    if (opened.refusal != null && !message.strip().endsWith(opened.refusal.strip())) {
      complain("an engine says: %s; log verify says: %s", opened.refusal, message);
    }
  }

  private boolean hasDigestsOf(JsonNode last) {
    return last.path("history").asText().equals("%016x".formatted(opened.digests.history()))
        && last.path("content").asText().equals("%016x".formatted(opened.digests.content()));
  }

  /** Whether following what it says would give up what need not be. */
  private void advises(String message, long best) {
    Matcher cut = CUT.matcher(message);
    if (cut.find() && Long.parseLong(cut.group(1)) <= best) {
      complain("records up to %,d can be kept, log verify says: %s", best, message);
    }
  }

  // Open.

  /**
   * What an engine did with a directory.
   *
   * @param refusal null: it opened it
   */
  private record Outcome(String refusal, long sequence, History.Digests digests) {}

  /**
   * @param keptMax the last record that counts: what comes behind it says that there was a cut
   */
  private Outcome open(Path copy, long keptMax) throws IOException {
    Map<String, Integer> before = Tree.image(copy);
    ManualClock clock = new ManualClock(Scene.START.plus(Duration.ofDays(1)));
    EngineEnvironment seams =
        new EngineEnvironment(
            ChronicleLog.RUNS,
            FaultHook.NONE,
            new SplittableRandom(1),
            () -> 0,
            new SteppedMaintenance());
    try (DrivenEngine engine =
        DrivenEngine.open(
            Scene.config(copy, ground.level(), clock), (sequence, result) -> {}, seams)) {
      RecoveryPoint found = engine.found();
      long sequence = Math.min(keptMax, found.sequence());
      requireTasks(engine, sequence);
      return new Outcome(
          null, sequence, new History.Digests(found.historyDigest(), found.contentDigest()));
    } catch (LogException e) {
      if (!Tree.image(copy).equals(before)) {
        complain("refusing it changed the directory");
      }
      return new Outcome(e.getMessage(), 0, null);
    } catch (RuntimeException | Error e) {
      complain("opening it failed with %s", e);
      return new Outcome(e.toString(), 0, null);
    }
  }

  /** All tasks that were there after the record are there as they were, and no others. */
  private void requireTasks(DrivenEngine engine, long sequence) {
    Map<Long, Integer> tasks = ground.history().tasksAt(sequence);
    if (engine.taskCount() != tasks.size()) {
      complain(
          "there are %d tasks at record %,d, and were %d",
          engine.taskCount(), sequence, tasks.size());
    }
    if (tasks.isEmpty()) {
      return;
    }
    ModifyEncoder all = engine.modify().claimant(ME);
    tasks.forEach((id, version) -> all.depend(new IdFields().set(1, id), version, Scene.QUEUE));
    if (engine.executeUnforced() != ResultCodes.OK) {
      complain("tasks at record %,d are not those that were there", sequence);
    }
  }

  private void judgeOpened(long best, JsonNode verified) throws IOException {
    if (opened.refusal != null) {
      judgeRefusal(opened.refusal);
      return;
    }
    History.Digests digests = ground.history().digests.get(opened.sequence);
    if (digests != null && !digests.equals(opened.digests)) {
      complain("it opens at record %,d with another state than was there", opened.sequence);
    }
    if (opened.sequence > ground.lastSequence()) {
      complain("it opens at record %,d, which never was", opened.sequence);
    }
    if (opened.sequence < best) {
      complain("it opens at record %,d, and %,d can be read", opened.sequence, best);
    }
    boolean isTorn = verified != null && verified.has("tornTail");
    Path misplaced = ground.misplacedBehind(base, damaged);
    // Where a run was cut off, a copy is not told from what was written twice, and hides nothing.
    boolean isHarmless = ground.isCut() && opened.sequence == ground.lastSequence();
    if (misplaced != null && !isHarmless && !isWarnedOf(damaged.relativize(misplaced), verified)) {
      complain(
          "it opens at record %,d without a word, though %s does not belong there",
          opened.sequence, damaged.relativize(misplaced));
    }
    String proof = proofOfMore(opened.sequence, isTorn);
    if (proof != null) {
      complain("it opens at record %,d without a word, though %s", opened.sequence, proof);
    }
  }

  private static boolean isWarnedOf(Path file, JsonNode verified) {
    return verified != null && verified.path("warnings").toString().contains(file.toString());
  }

  private void judgeRefusal(String message) {
    // Of several, one may hide another, or leave nothing but its place to be named.
    boolean isExact = harms.size() == 1;
    boolean isGone = false;
    boolean isNamed = false;
    for (Harm harm : harms) {
      isNamed |= harm.files().stream().anyMatch(file -> isNamed(file, message));
      isGone |= harm.files().stream().noneMatch(file -> Files.exists(damaged.resolve(file)));
    }
    // What is gone altogether has no name any more, but the place has where it is missing.
    boolean isPlaceNamed = message.contains("/run-") || message.contains("/closed ");
    if (!isNamed && !((isGone || !isExact) && isPlaceNamed)) {
      complain("no file is named that was damaged: %s", message);
    }
  }

  /** A segment by its run, too: each run has one of its name. */
  private static boolean isNamed(Path file, String message) {
    boolean isSegment = file.toString().endsWith(".cq4");
    return message.contains(file.getFileName().toString())
        && (!isSegment || message.contains(file.getParent().getFileName().toString()));
  }

  /** What in the directory says that there was more than this; null if nothing does. */
  private String proofOfMore(long sequence, boolean isTorn) throws IOException {
    try (Stream<Path> walk = Files.walk(damaged)) {
      for (Path file : walk.filter(Files::isRegularFile).toList()) {
        String proof = proofOfMore(file, sequence, isTorn);
        if (proof != null) {
          return proof;
        }
      }
    }
    return null;
  }

  private String proofOfMore(Path file, long sequence, boolean isTorn) throws IOException {
    Path name = damaged.relativize(file);
    if (name.startsWith("log")) {
      for (FoundRecord each : FoundRecord.in(file)) {
        boolean isProof =
            ground.isTrue(each)
                && each.sequence() > sequence
                && (!isTorn || each.forcedSequence() > sequence || !isUnforcedCut());
        if (isProof) {
          return "%s holds record %,d at offset %,d"
              .formatted(name, each.sequence(), each.offset());
        }
      }
    }
    boolean isSame =
        Files.exists(ground.directory().resolve(name))
            && Files.mismatch(file, ground.directory().resolve(name)) < 0;
    if (isSame && name.endsWith("closed") && sequence < ground.lastSequence()) {
      return "the mark says that it was closed later";
    }
    return null;
  }

  private boolean isUnforcedCut() {
    return ground.level() == Durability.DISK;
  }

  // What could be kept.

  /** The last record up to which all can be read from the beginning or a good snapshot; or 0. */
  private long best() throws IOException {
    Set<Long> readable = new HashSet<>();
    for (Path segment : ground.segments()) {
      Path file = damaged.resolve(ground.relative(segment));
      if (Files.isRegularFile(file)) {
        Set<FoundRecord> before = new HashSet<>(FoundRecord.in(segment));
        for (FoundRecord each : FoundRecord.in(file)) {
          if (ground.isTrue(each) && before.contains(each)) {
            readable.add(each.sequence());
          }
        }
      }
    }
    long best = endFrom(0, readable);
    for (Path snapshot : Tree.children(ground.directory().resolve("snapshots"))) {
      if (isGood(ground.relative(snapshot))) {
        String name = snapshot.getFileName().toString();
        base = Long.parseLong(name.split("-", -1)[1]);
        best = Math.max(best, endFrom(base, readable));
      }
    }
    return best;
  }

  private static long endFrom(long start, Set<Long> readable) {
    long end = start;
    while (readable.contains(end + 1)) {
      end++;
    }
    return end;
  }

  private boolean isGood(Path snapshot) throws IOException {
    for (String part : List.of("state", "manifest")) {
      Path file = snapshot.resolve(part);
      Path there = damaged.resolve(file);
      if (!Files.isRegularFile(there)
          || Files.mismatch(there, ground.directory().resolve(file)) >= 0) {
        return false;
      }
    }
    return true;
  }

  // Repair.

  private void follow(long best) throws IOException {
    Path copy = place.resolve("repaired");
    Tree.copy(damaged, copy);
    Outcome last = opened;
    long kept = Long.MAX_VALUE;
    StringBuilder story = new StringBuilder();
    for (int i = 0; i < ADVICE_MAX && last.refusal != null; i++) {
      String advice = last.refusal.replace(place.resolve("opened").toString(), copy.toString());
      story.append(advice).append(" / ");
      if (!isFollowed(copy, advice)) {
        break;
      }
      Matcher cut = CUT.matcher(advice);
      kept = cut.find() ? Math.min(kept, Long.parseLong(cut.group(1)) - 1) : kept;
      last = open(copy, kept);
    }
    if (last.refusal != null && best > 0) {
      complain("records up to %,d can be kept, the advice comes to no end: %s", best, story);
    }
    if (last.refusal == null && last.sequence < best) {
      complain(
          "records up to %,d can be kept, the advice led to %,d: %s", best, last.sequence, story);
    }
  }

  /** Gives a file another name, and the one that has that name its own. */
  private void rename(Path run, String from, String to) throws IOException {
    Path aside = place.resolve("renamed");
    Files.move(run.resolve(from), aside);
    if (Files.exists(run.resolve(to))) {
      Files.move(run.resolve(to), run.resolve(from));
    }
    Files.move(aside, run.resolve(to));
  }

  private void moveAway(Path file) throws IOException {
    Files.move(file, place.resolve("aside-" + System.nanoTime()));
  }

  /** Whether there was something to do. */
  private boolean isFollowed(Path copy, String advice) throws IOException {
    Matcher rename = RENAME.matcher(advice);
    if (rename.find()) {
      rename(Path.of(rename.group(3)), rename.group(1), rename.group(2));
      return true;
    }
    Matcher move = MOVE.matcher(advice);
    if (move.find()) {
      Path from = Path.of(move.group(2));
      moveAway(from.resolve(move.group(1)));
      Matcher others = OTHERS.matcher(advice);
      if (others.find()) {
        for (String other : others.group(1).split(", ", -1)) {
          moveAway(from.resolveSibling(other));
        }
      }
      return true;
    }
    Matcher number = NUMBER.matcher(advice);
    if (number.find()) {
      Path run = copy.resolve("log").resolve(number.group(1));
      Files.move(run, run.resolveSibling(number.group(2)));
      return true;
    }
    Matcher away = AWAY.matcher(advice);
    if (away.find()) {
      moveAway(Path.of(away.group(1), away.group(2)));
      return true;
    }
    Matcher cut = CUT.matcher(advice);
    if (cut.find()) {
      Cli repair = Cli.run("log", "repair", copy, "--cut-at", cut.group(1), "--yes");
      if (repair.status() != 0) {
        complain("what is advised fails: %s: %s", advice, repair.err());
        return false;
      }
      return true;
    }
    return false;
  }
}
