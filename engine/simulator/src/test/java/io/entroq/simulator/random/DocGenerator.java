package io.entroq.simulator.random;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.entroq.codec.wire.log.ChangeMode;
import io.entroq.codec.wire.log.ClaimDocs;
import io.entroq.codec.wire.log.Doc;
import io.entroq.codec.wire.log.DocData;
import io.entroq.codec.wire.log.DocRef;
import io.entroq.codec.wire.log.DocSet;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Identity;
import io.entroq.codec.wire.log.Insert;
import io.entroq.codec.wire.log.ListDocs;
import io.entroq.codec.wire.log.ListNamespaces;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.Task;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.codec.wire.log.TaskRef;
import io.entroq.codec.wire.log.ValueKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Commands about docs, by a separate caller and with separate random numbers, so that the other
 * commands of a hunt stay the same.
 */
final class DocGenerator {
  private static final long SALT = 0x646F6373L;
  private static final String QUEUE = "beside docs";

  /** The last two have the maximum length. */
  private static final List<String> NAMES =
      List.of("users", "u", "users/eu", "ünïcödé-☃-𝄞", "N".repeat(1_024), "M".repeat(1_024));

  private static final List<String> KEYS =
      List.of(
          "",
          "k",
          "k\u0000",
          "customer/1",
          "customer/12",
          "customer/2",
          "ü",
          "𝄞",
          "K".repeat(1_024));

  private final Dice dice;
  private final WatchedMachine machine;
  private final IdentifiedClient caller;
  private final List<Id> ids = new ArrayList<>();
  private final List<Id> claimants = new ArrayList<>();
  private final int namespaces;
  private final boolean hasDocs;
  private boolean isInBurst;
  private long nowMs;

  /** The set that most items of a command are about, and its docs. */
  private String focusNamespace = "";

  private String focusKey = "";
  private List<Doc> focus = List.of();

  DocGenerator(long seed, WatchedMachine machine) {
    this.dice = new Dice(seed ^ SALT);
    this.machine = machine;
    this.caller = new IdentifiedClient(dice);
    this.hasDocs = dice.percent(60);
    this.namespaces = dice.between(1, NAMES.size());
    IdPool pool = new IdPool(dice, 0);
    for (int i = dice.oneIntOf(5, 30, 150); i > 0; i--) {
      ids.add(pool.fresh());
    }
    claimants.add(Id.getDefaultInstance());
    for (int i = 0; i < 3; i++) {
      claimants.add(pool.fresh());
    }
  }

  /** Whether to draw a query about docs. */
  boolean asks() {
    return hasDocs && dice.percent(3);
  }

  /** Whether the next command is about docs. They come in bursts, while leases last. */
  boolean isNext() {
    isInBurst = hasDocs && dice.percent(isInBurst ? 70 : 12);
    return isInBurst;
  }

  /** A question. */
  Message query() {
    if (dice.oneIn(3)) {
      ListNamespaces.Builder list = ListNamespaces.newBuilder().setLimit(dice.between(-1, 4));
      for (int i = dice.below(3); i > 0; i--) {
        list.addMatchPrefix(dice.percent(30) ? "" : namespace().substring(0, 1));
        list.addMatchExact(namespace());
      }
      return list.build();
    }
    ListDocs.Builder list =
        ListDocs.newBuilder()
            .setNamespace(dice.oneIn(10) ? "" : namespace())
            .setKeyStart(key())
            .setKeyEnd(key())
            .setLimit(dice.between(-1, 6))
            .setOmitValues(dice.percent(50));
    if (dice.oneIn(5)) {
      list.setKeyExact(key());
    }
    for (int i = dice.percent(70) ? 0 : dice.below(8); i > 0; i--) {
      list.addIds(id());
    }
    return list.build();
  }

  /** A command at a time. */
  Message next(long timeMs) {
    nowMs = timeMs;
    if (focusNamespace.isEmpty() || dice.percent(30)) {
      focusNamespace = NAMES.get(dice.skewedBelow(namespaces));
      focusKey = KEYS.get(dice.skewedBelow(KEYS.size()));
    }
    focus = focusKey.isEmpty() ? List.of() : machine.view().docs(focusNamespace, focusKey);
    Message before = caller.sentBefore();
    if (before != null && dice.oneIn(8)) {
      return before;
    }
    boolean isIdentified = dice.percent(40);
    Message command = dice.percent(30) ? claim(isIdentified) : modify(isIdentified);
    if (isIdentified) {
      caller.remember(command);
    }
    return command;
  }

  private Identity identity() {
    return caller.next(List.of());
  }

  private ClaimDocs claim(boolean isIdentified) {
    ClaimDocs.Builder claim = ClaimDocs.newBuilder().setClaimant(claimant());
    Set<String> named = new HashSet<>();
    for (int i = dice.skewedBelow(4); i >= 0; i--) {
      String namespace = namespace();
      String key = namedKey();
      if (named.add(namespace + "/" + key)) {
        claim.addSets(
            DocSet.newBuilder()
                .setNamespace(namespace)
                .setKey(key)
                .setOmitMembers(dice.percent(20)));
      }
    }
    if (dice.oneIn(50)) {
      claim.addSets(claim.getSets(0));
    }
    Task task = dice.percent(25) ? anyTask() : null;
    if (task == null) {
      claim.setLeaseMs(dice.oneIn(30) ? dice.oneOf(0, Long.MAX_VALUE) : holdMs());
    } else {
      claim.setTask(
          TaskRef.newBuilder()
              .setId(task.getId())
              .setVersion(task.getVersion() + (dice.oneIn(8) ? 1 : 0))
              .setQueue(dice.oneIn(8) ? "elsewhere" : task.getQueue()));
    }
    return (isIdentified ? claim.setIdentity(identity()) : claim).build();
  }

  /** A task of the queue that is filled beside docs, or null. */
  private Task anyTask() {
    List<Task> tasks = machine.view().tasks(QUEUE);
    if (tasks.isEmpty()) {
      return null;
    }
    // Mostly the one that is held the longest.
    return tasks.get(tasks.size() - 1 - (dice.percent(70) ? 0 : dice.below(tasks.size())));
  }

  private Modify modify(boolean isIdentified) {
    Modify.Builder modify = Modify.newBuilder();
    for (int i = dice.skewedBelow(4); i >= 0; i--) {
      addItem(modify);
    }
    if (dice.oneIn(5)) {
      TaskData.Builder data = TaskData.newBuilder().setQueue(QUEUE);
      data.setByMs(dice.percent(90) ? 1 + holdMs() : 0);
      modify.addInserts(Insert.newBuilder().setId(id()).setData(data));
    }
    modify.setClaimant(claimant(modify));
    return (isIdentified ? modify.setIdentity(identity()) : modify).build();
  }

  private void addItem(Modify.Builder modify) {
    switch (dice.below(20)) {
      case 0, 1, 2, 3, 4, 5 -> modify.addDocInserts(insert());
      case 6, 7, 8, 9, 10 -> modify.addDocChanges(change());
      case 11, 12, 13 -> modify.addDocDeletes(ref());
      case 14 -> modify.addDocDepends(ref());
      case 15, 16 -> modify.addDocDepends(setRef());
      case 17 -> {
        modify.addDocChanges(lease());
        if (dice.oneIn(6)) {
          modify.addDocChanges(modify.getDocChanges(modify.getDocChangesCount() - 1));
        }
      }
      default -> modify.addDocChanges(lease());
    }
  }

  private DocData.Builder insert() {
    return withHold(
        withValue(
            DocData.newBuilder()
                .setNamespace(namespace())
                .setId(id())
                .setKey(key())
                .setSecondaryKey(key())));
  }

  /** Sometimes with other keys, which are ignored. */
  private DocData.Builder change() {
    DocRef ref = ref();
    DocData.Builder change =
        DocData.newBuilder()
            .setNamespace(ref.getNamespace())
            .setId(ref.getId())
            .setVersion(ref.getVersion());
    if (dice.percent(20)) {
      change.setKey(key()).setSecondaryKey(key());
    }
    return withHold(withValue(change));
  }

  private DocData.Builder lease() {
    DocRef set = setRef();
    return withHold(
        DocData.newBuilder()
            .setNamespace(set.getNamespace())
            .setKey(set.getKey())
            .setVersion(set.getVersion())
            .setMode(ChangeMode.CHANGE_LEASE));
  }

  private DocData.Builder withValue(DocData.Builder doc) {
    return dice.percent(30)
        ? doc
        : doc.setValueKind(ValueKind.VALUE_BYTES)
            .setValue(ByteString.copyFrom(dice.bytes(dice.skewedBelow(100))));
  }

  private DocData.Builder withHold(DocData.Builder doc) {
    return switch (dice.below(5)) {
      case 0 -> doc.setArrivalMs(arrivalMs());
      case 1 -> doc.setByMs(1 + holdMs());
      case 2 ->
          doc.setByMs(
              dice.oneIn(5) ? dice.oneOf(Long.MIN_VALUE, Long.MAX_VALUE) : dice.between(-20, 0));
      default -> doc;
    };
  }

  /** Mostly an existing doc at the current version of its set. */
  private DocRef ref() {
    if (!focus.isEmpty() && dice.percent(75)) {
      Doc doc = focus.get(dice.below(focus.size()));
      return DocRef.newBuilder()
          .setNamespace(focusNamespace)
          .setId(doc.getId())
          .setVersion(version(doc.getVersion()))
          .build();
    }
    String namespace = namespace();
    Id id = id();
    for (int tries = 0; tries < 6 && machine.view().findDoc(namespace, id) == null; tries++) {
      namespace = namespace();
      id = id();
    }
    Doc doc = machine.view().findDoc(namespace, id);
    int version = doc == null ? dice.below(3) : doc.getVersion();
    return DocRef.newBuilder()
        .setNamespace(namespace)
        .setId(id)
        .setVersion(version(version))
        .build();
  }

  /** Mostly the current one; sometimes none, as another item may name it. */
  private int version(int current) {
    if (dice.percent(88)) {
      return current;
    }
    return dice.percent(70) ? 0 : current + 1;
  }

  /** Mostly a set with docs at its current version. */
  private DocRef setRef() {
    if (!focus.isEmpty() && dice.percent(75)) {
      int current = focus.get(0).getVersion();
      return DocRef.newBuilder()
          .setNamespace(focusNamespace)
          .setKey(focusKey)
          .setVersion(dice.percent(93) ? current : current + 1)
          .build();
    }
    DocRef ref = ref();
    Doc doc = machine.view().findDoc(ref.getNamespace(), ref.getId());
    boolean isKnown = doc != null && !doc.getKey().isEmpty() && dice.percent(85);
    int version = isKnown ? doc.getVersion() : dice.below(3);
    return DocRef.newBuilder()
        .setNamespace(ref.getNamespace())
        .setKey(isKnown ? doc.getKey() : namedKey())
        .setVersion(dice.percent(93) ? version : version + 1)
        .build();
  }

  /** Mostly short, so that leases end while they are tested, and some beyond the next steps. */
  private long holdMs() {
    return dice.percent(60) ? dice.below(60) : dice.below(20_000);
  }

  /** Older than a year, in the past, now, and in the future. */
  private long arrivalMs() {
    return dice.oneIn(20)
        ? dice.oneOf(0, Long.MIN_VALUE, Long.MAX_VALUE)
        : nowMs + dice.between(-20, 60);
  }

  /** Mostly the claimant who holds the set that most items are about. */
  private Id claimant(Modify.Builder modify) {
    Doc held = focus.isEmpty() ? null : focus.get(0);
    if (held == null && modify.getDocChangesCount() > 0) {
      DocData change = modify.getDocChanges(0);
      held = machine.view().findDoc(change.getNamespace(), change.getId());
    }
    return held != null && dice.percent(75) ? held.getClaimant() : claimant();
  }

  private Id claimant() {
    return claimants.get(dice.below(claimants.size()));
  }

  private Id id() {
    Id id = ids.get(dice.below(ids.size()));
    return dice.oneIn(200) ? id.toBuilder().setText(id.getText() + "x").build() : id;
  }

  private String namespace() {
    return !focusNamespace.isEmpty() && dice.percent(60)
        ? focusNamespace
        : NAMES.get(dice.skewedBelow(namespaces));
  }

  private String key() {
    return dice.percent(60) ? focusKey : KEYS.get(dice.skewedBelow(KEYS.size()));
  }

  /** Not the empty key, which names no set. */
  private String namedKey() {
    return !focusKey.isEmpty() && dice.percent(60)
        ? focusKey
        : KEYS.get(1 + dice.skewedBelow(KEYS.size() - 1));
  }
}
