package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.snapshot.ChunkKinds;
import io.entroq.codec.wire.log.ClaimDocs;
import io.entroq.codec.wire.log.DocData;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Modify;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Random commands about docs and sets against maps, and against copies made from images. */
class DocModelTest extends StateTestBase {
  private static final int COMMANDS = 6_000;
  private static final String[] NAMESPACES = {"a", "b", "a longer name"};
  private static final String[] KEYS = {"k", "k1", "customer/1", "customer/2", "customer/22"};
  private static final String[] SECONDARY_KEYS = {"", "s", "s1", "t"};
  private static final Id[] CLAIMANTS = {
    ANN, BOB, NOBODY, Id.newBuilder().setHigh(1).setLow(2).setText("odd").build()
  };

  private record Name(String namespace, long id) {}

  private record SetName(String namespace, String key) {}

  private record Doc(SetName set, String secondary) {}

  private record Lock(int version, Id claimant, long arrivalMs) {}

  private final long seed = Long.getLong("test.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);
  private final Map<Name, Doc> docs = new HashMap<>();
  private final Map<SetName, Lock> locks = new HashMap<>();
  private StateMachine copy;

  private <T> T any(T[] choices) {
    return choices[random.nextInt(choices.length)];
  }

  @Test
  void shouldAgreeWithMapsAndWithItsImages() {
    for (int i = 0; i < COMMANDS; i++) {
      if (random.nextInt(5) == 0) {
        later(random.nextInt(40));
        copyApplies();
      }
      if (random.nextInt(3) == 0) {
        claim();
      } else {
        modify();
      }
      copyApplies();
      if (i % 500 == 0) {
        check();
        reload();
      }
    }
    check();
    if (copy != null) {
      copy.close();
    }
  }

  private void copyApplies() {
    if (copy != null) {
      applyTo(copy, lastCommand);
      assertThat(copy.historyDigest()).as("seed %d", seed).isEqualTo(machine.historyDigest());
      assertThat(copy.contentDigest()).as("seed %d", seed).isEqualTo(machine.contentDigest());
    }
  }

  private void claim() {
    Id claimant = any(CLAIMANTS);
    ClaimDocs.Builder claim =
        ClaimDocs.newBuilder().setClaimant(claimant).setLeaseMs(random.nextInt(100));
    List<SetName> names = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      SetName name = new SetName(any(NAMESPACES), any(KEYS));
      if (!names.contains(name)) {
        names.add(name);
        claim.addSets(set(name.namespace(), name.key()));
      }
    }
    List<SetName> held = names.stream().filter(name -> isHeld(name, claimant)).toList();
    Answer answer = apply(claim.build());
    List<SetName> named = held.isEmpty() ? names : held;
    assertThat(answer.sets.stream().map(set -> new SetName(set.namespace(), set.key())))
        .as("seed %d", seed)
        .isEqualTo(named);
    assertThat(answer.docs.stream().map(doc -> new Name(doc.namespace(), doc.id())))
        .as("seed %d", seed)
        .isEqualTo(named.stream().flatMap(name -> docsOf(name).stream()).toList());
    assertThat(answer.code)
        .as("seed %d", seed)
        .isEqualTo(held.isEmpty() ? ResultCodes.OK : ResultCodes.DEPENDENCY);
    if (held.isEmpty()) {
      names.forEach(
          name -> {
            Lock lock = locks.get(name);
            long until = nowMs + claim.getLeaseMs();
            Id holder = until > nowMs ? claimant : NOBODY;
            locks.put(name, new Lock(lock == null ? 1 : lock.version() + 1, holder, until));
          });
    }
  }

  private List<Name> docsOf(SetName set) {
    return docs.entrySet().stream()
        .filter(entry -> entry.getValue().set().equals(set))
        .sorted(Comparator.comparing(entry -> entry.getValue().secondary()))
        .map(Map.Entry::getKey)
        .toList();
  }

  private boolean isHeld(SetName name, Id requester) {
    Lock lock = locks.get(name);
    return lock != null
        && lock.arrivalMs() > nowMs
        && !lock.claimant().equals(NOBODY)
        && !lock.claimant().equals(requester);
  }

  /** A Modify, and what the rules say of it. */
  private final class Draft {
    final Id claimant = any(CLAIMANTS);
    final Modify.Builder modify = modify(claimant);
    final Set<Name> ids = new HashSet<>();
    final Set<Object> places = new HashSet<>();
    final Set<SetName> leases = new HashSet<>();
    final Map<Name, Doc> after = new HashMap<>(docs);
    final Map<SetName, Long> touched = new HashMap<>();
    boolean fails;

    void touch(SetName set, long arrivalMs) {
      touched.merge(set, Math.max(nowMs, arrivalMs), Math::max);
      fails |= isHeld(set, claimant);
    }

    long arrivalMs(DocData.Builder data) {
      long byMs = random.nextInt(100) - 50;
      if (random.nextBoolean()) {
        data.setByMs(byMs);
      } else {
        data.setArrivalMs(nowMs + byMs);
      }
      return nowMs + byMs;
    }

    int version(SetName set) {
      Lock lock = locks.get(set);
      int version = lock == null ? 0 : lock.version();
      int named = random.nextInt(12) == 0 ? version + 1 : version;
      fails |= named != version;
      return named;
    }

    void insert(Name name) {
      Doc doc = new Doc(new SetName(name.namespace(), any(KEYS)), any(SECONDARY_KEYS));
      if (places.add(doc)) {
        DocData.Builder data =
            doc(name.namespace(), name.id(), doc.set().key()).setSecondaryKey(doc.secondary());
        touch(doc.set(), arrivalMs(data));
        modify.addDocInserts(data);
        fails |= docs.containsKey(name) || docs.containsValue(doc);
        after.put(name, doc);
      }
    }

    void change(Name name, Doc doc) {
      DocData.Builder data =
          doc(name.namespace(), name.id(), any(KEYS)).setVersion(version(doc.set()));
      touch(doc.set(), arrivalMs(data));
      modify.addDocChanges(data);
    }

    void delete(Name name, Doc doc) {
      modify.addDocDeletes(docRef(name.namespace(), name.id(), version(doc.set())));
      touch(doc.set(), nowMs);
      after.remove(name);
    }

    void lease(SetName set) {
      if (leases.add(set)) {
        fails |= !locks.containsKey(set);
        DocData.Builder data = lease(set.namespace(), set.key(), version(set), 0);
        touch(set, arrivalMs(data));
        modify.addDocChanges(data);
      }
    }

    void depend(SetName set) {
      fails |= !locks.containsKey(set);
      modify.addDocDepends(setRef(set.namespace(), set.key(), version(set)));
    }

    private DocData.Builder lease(String namespace, String key, int version, long byMs) {
      return StateTestBase.lease(namespace, key, version, byMs);
    }
  }

  private void modify() {
    Draft draft = new Draft();
    for (int i = random.nextInt(4); i >= 0; i--) {
      Name name = new Name(any(NAMESPACES), 1 + random.nextInt(40));
      if (draft.ids.add(name)) {
        add(draft, name, docs.get(name));
      }
    }
    Answer answer = apply(draft.modify);
    assertThat(answer.code)
        .as("seed %d", seed)
        .isEqualTo(draft.fails ? ResultCodes.DEPENDENCY : ResultCodes.OK);
    if (draft.fails) {
      return;
    }
    docs.clear();
    docs.putAll(draft.after);
    draft.touched.forEach(
        (set, arrivalMs) -> {
          Lock lock = locks.get(set);
          Id holder = arrivalMs > nowMs ? draft.claimant : NOBODY;
          locks.put(set, new Lock(lock == null ? 0 : lock.version() + 1, holder, arrivalMs));
        });
  }

  private void add(Draft draft, Name name, Doc doc) {
    SetName set = new SetName(name.namespace(), any(KEYS));
    switch (random.nextInt(6)) {
      case 0 -> draft.lease(set);
      case 1 -> draft.depend(set);
      case 2 -> draft.insert(name);
      default -> {
        if (doc == null) {
          draft.insert(name);
        } else if (random.nextInt(3) == 0) {
          draft.delete(name, doc);
        } else {
          draft.change(name, doc);
        }
      }
    }
  }

  private void check() {
    assertThat(machine.docCount()).as("seed %d", seed).isEqualTo(docs.size());
    assertThat(machine.docSetCount()).as("seed %d", seed).isEqualTo(locks.size());
    docs.forEach(
        (name, doc) -> {
          DocShot shot = findDoc(name.namespace(), name.id());
          assertThat(new Doc(new SetName(shot.namespace(), shot.key()), shot.secondaryKey()))
              .as("%s, seed %d", name, seed)
              .isEqualTo(doc);
          assertThat(lock(shot)).as("%s, seed %d", name, seed).isEqualTo(locks.get(doc.set()));
        });
    locks.forEach(
        (name, lock) -> {
          DocShot shot = findSet(name.namespace(), name.key());
          assertThat(lock(shot)).as("%s, seed %d", name, seed).isEqualTo(lock);
          assertThat(shot.docs()).as("%s, seed %d", name, seed).isEqualTo(docsOf(name).size());
        });
    assertThat(machine.contentDigest())
        .as("seed %d", seed)
        .isEqualTo(machine.recomputeContentDigest());
  }

  private static Lock lock(DocShot shot) {
    Id claimant =
        Id.newBuilder()
            .setHigh(shot.claimantText().isEmpty() ? 0 : 1)
            .setLow(shot.claimant())
            .setText(shot.claimantText())
            .build();
    return new Lock(shot.version(), claimant, shot.arrivalMs());
  }

  /** From here on a copy that was made from an image goes along. */
  private void reload() {
    if (copy != null) {
      copy.close();
    }
    StateLoader loader = new StateLoader(new StateMachineConfig(1, 1, 1));
    machine.freeze().writeTo(loader);
    machine.thaw();
    copy = loader.finish();
  }

  @Test
  void shouldForgetTheSameSetsAfterAnImage() {
    for (String key : KEYS) {
      apply(claimDocs(BOB, "a", key).setLeaseMs(key.length()).build());
    }
    apply(claimDocs(BOB, "a", KEYS[0]).setLeaseMs(1).build());
    later(100);
    reload();
    new DocTable(machine.stores, 2).forgetUnused(2, nowMs);
    new DocTable(copy.stores, 2).forgetUnused(2, nowMs);
    assertThat(machine.docSetCount()).isEqualTo(2);
    assertThat(findSet("a", KEYS[0])).isNotNull();
    assertThat(copy.contentDigest()).isEqualTo(machine.contentDigest());
    copy.close();
  }

  @Test
  void shouldRefuseAnImageThatSaysWhatNoDocCanBe() {
    apply(
        modify(ANN)
            .addDocInserts(doc("users", 1, "k"))
            .addDocInserts(doc("users", 2, "k").setSecondaryKey("s")));
    assertThat(altered(ChunkKinds.DOCS, 0, 8)).contains("kind of value 8");
    assertThat(altered(ChunkKinds.DOCS, 12, 2)).contains("two docs of id 2");
    assertThat(altered(ChunkKinds.DOCS, 20, 3)).contains("sequence of the insert");
    assertThat(altered(ChunkKinds.DOCS, 44, 0)).contains("bytes of a namespace 0");
    assertThat(altered(ChunkKinds.DOCS, 48, 2_000)).contains("bytes of text 2000");
    assertThat(altered(ChunkKinds.DOCS, 64, 'U')).contains("key 'k' has 1 docs, not 2");
    assertThat(altered(ChunkKinds.DOCS, 28, 1)).contains("digest");
  }

  @Test
  void shouldRefuseAnImageThatSaysWhatNoDocSetCanBe() {
    apply(claimDocs(ANN, "users", "j").build());
    apply(modify(ANN).addDocInserts(doc("users", 1, "k")));
    apply(claimDocs(ANN, "users", "l").build());
    assertThat(altered(ChunkKinds.DOC_SETS, 0, 2)).contains("flags 2");
    assertThat(altered(ChunkKinds.DOC_SETS, 4, -1)).contains("version -1");
    assertThat(altered(ChunkKinds.DOC_SETS, 8, 9)).contains("sequence of the first write 9");
    assertThat(altered(ChunkKinds.DOC_SETS, 16, 0)).contains("order 0");
    assertThat(altered(ChunkKinds.DOC_SETS, 16, 3)).contains("has the order 3 of another");
    assertThat(altered(ChunkKinds.DOC_SETS, 56, -1)).contains("docs of a set -1");
    assertThat(altered(ChunkKinds.DOC_SETS, 56, 1)).contains("has 0 docs, not 1");
    assertThat(altered(ChunkKinds.DOC_SETS, 60, 0)).contains("bytes of a namespace 0");
    assertThat(altered(ChunkKinds.DOC_SETS, 0, 1)).contains("the text of claimant");
    assertThat(altered(ChunkKinds.DOC_SETS, 24, 1)).contains("digest");
  }

  private String altered(int kind, int offset, int value) {
    return AlteredImage.refusal(machine, kind, offset, value);
  }
}
