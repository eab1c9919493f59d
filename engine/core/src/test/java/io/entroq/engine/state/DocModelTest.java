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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random commands about docs against a sorted map, and against copies made from images. */
@Timeout(60)
class DocModelTest extends StateTestBase {
  private static final int COMMANDS = 6_000;
  private static final String[] NAMESPACES = {"a", "b", "a longer name"};
  private static final String[] KEYS = {"", "k", "k1", "customer/1", "customer/2", "customer/22"};
  private static final Id[] CLAIMANTS = {
    ANN, BOB, NOBODY, Id.newBuilder().setHigh(1).setLow(2).setText("odd").build()
  };

  private record Name(String namespace, long id) {}

  private record Doc(int version, Id claimant, long arrivalMs, String key, String secondary) {}

  private final long seed = Long.getLong("test.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);
  private final TreeMap<Name, Doc> model =
      new TreeMap<>(Comparator.comparing(Name::namespace).thenComparing(Name::id));
  private StateMachine copy;

  private <T> T any(T[] choices) {
    return choices[random.nextInt(choices.length)];
  }

  @Test
  void shouldAgreeWithASortedMapAndWithItsImages() {
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
    String namespace = any(NAMESPACES);
    String key = any(KEYS);
    ClaimDocs claim = claimDocs(claimant, namespace, key).setLeaseMs(random.nextInt(100)).build();
    List<Name> names = new ArrayList<>();
    model.forEach(
        (name, doc) -> {
          if (name.namespace().equals(namespace) && doc.key().equals(key)) {
            names.add(name);
          }
        });
    names.sort(
        Comparator.comparing((Name name) -> model.get(name).secondary()).thenComparing(Name::id));
    List<Name> held = names.stream().filter(name -> isHeld(model.get(name), claimant)).toList();
    Answer answer = apply(claim);
    List<Name> said = answer.docs.stream().map(doc -> new Name(doc.namespace(), doc.id())).toList();
    if (!held.isEmpty()) {
      assertThat(answer.code).as("seed %d", seed).isEqualTo(ResultCodes.DEPENDENCY);
      assertThat(said).as("seed %d", seed).isEqualTo(held);
      return;
    }
    assertThat(said).as("seed %d", seed).isEqualTo(names);
    for (Name name : names) {
      Doc doc = model.get(name);
      long until = nowMs + claim.getLeaseMs();
      model.put(name, new Doc(doc.version() + 1, claimant, until, doc.key(), doc.secondary()));
    }
  }

  private boolean isHeld(Doc doc, Id requester) {
    return doc.arrivalMs() > nowMs
        && !doc.claimant().equals(NOBODY)
        && !doc.claimant().equals(requester);
  }

  private void modify() {
    Id claimant = any(CLAIMANTS);
    Modify.Builder modify = modify(claimant);
    TreeMap<Name, Doc> after = new TreeMap<>(model);
    Set<Name> named = new HashSet<>();
    boolean fails = false;
    for (int i = random.nextInt(4); i >= 0; i--) {
      Name name = new Name(any(NAMESPACES), 1 + random.nextInt(40));
      Doc doc = model.get(name);
      if (!named.add(name)) {
        continue;
      }
      int version = doc == null || random.nextInt(10) == 0 ? 3 : doc.version();
      boolean isThere = doc != null && doc.version() == version;
      switch (random.nextInt(doc == null ? 1 : 5)) {
        case 0 -> {
          DocData.Builder data =
              doc(name.namespace(), name.id(), any(KEYS)).setSecondaryKey(any(KEYS));
          modify.addDocInserts(data);
          fails |= doc != null;
          after.put(name, new Doc(1, NOBODY, nowMs, data.getKey(), data.getSecondaryKey()));
        }
        case 1, 2 -> {
          DocData.Builder data =
              doc(name.namespace(), name.id(), any(KEYS))
                  .setSecondaryKey(any(KEYS))
                  .setVersion(version)
                  .setArrivalMs(nowMs + random.nextInt(100) - 30);
          modify.addDocChanges(data);
          fails |= !isThere || isHeld(doc, claimant);
          after.put(name, changed(doc, data, claimant));
        }
        case 3 -> {
          modify.addDocDeletes(docRef(name.namespace(), name.id(), version));
          fails |= !isThere || isHeld(doc, claimant);
          after.remove(name);
        }
        default -> {
          modify.addDocDepends(docRef(name.namespace(), name.id(), version));
          fails |= !isThere;
        }
      }
    }
    Answer answer = apply(modify);
    assertThat(answer.code)
        .as("seed %d", seed)
        .isEqualTo(fails ? ResultCodes.DEPENDENCY : ResultCodes.OK);
    if (!fails) {
      model.clear();
      model.putAll(after);
    }
  }

  private Doc changed(Doc doc, DocData.Builder data, Id claimant) {
    return new Doc(
        doc.version() + 1,
        data.getArrivalMs() > nowMs ? claimant : NOBODY,
        data.getArrivalMs(),
        data.getKey().isEmpty() ? doc.key() : data.getKey(),
        data.getSecondaryKey().isEmpty() ? doc.secondary() : data.getSecondaryKey());
  }

  private void check() {
    assertThat(machine.docCount()).as("seed %d", seed).isEqualTo(model.size());
    model.forEach(
        (name, doc) -> {
          DocShot shot = findDoc(name.namespace(), name.id());
          Id claimant =
              Id.newBuilder()
                  .setHigh(shot.claimantText().isEmpty() ? 0 : 1)
                  .setLow(shot.claimant())
                  .setText(shot.claimantText())
                  .build();
          assertThat(
                  new Doc(
                      shot.version(), claimant, shot.arrivalMs(), shot.key(), shot.secondaryKey()))
              .as("%s, seed %d", name, seed)
              .isEqualTo(doc);
        });
    assertThat(machine.contentDigest())
        .as("seed %d", seed)
        .isEqualTo(machine.recomputeContentDigest());
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
  void shouldRefuseAnImageThatSaysWhatNoDocCanBe() {
    apply(modify(ANN).addDocInserts(doc("users", 1, "k")).addDocInserts(doc("users", 2, "k")));
    assertThat(altered(ChunkKinds.DOCS, 0, 8)).contains("flags 8");
    assertThat(altered(ChunkKinds.DOCS, 4, 0)).contains("version 0");
    assertThat(altered(ChunkKinds.DOCS, 16, 2)).contains("two docs of id 2");
    assertThat(altered(ChunkKinds.DOCS, 72, 0)).contains("bytes of a namespace 0");
    assertThat(altered(ChunkKinds.DOCS, 92, 'U')).contains("digest");
  }

  private String altered(int kind, int offset, int value) {
    return AlteredImage.refusal(machine, kind, offset, value);
  }
}
