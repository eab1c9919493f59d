package io.entroq.engine;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The rules of the architecture: who may import whom. */
class ImportRulesTest {

  private static final String[] DETERMINISTIC = {
    "io.entroq.engine.memory..",
    "io.entroq.engine.effect..",
    "io.entroq.engine.task..",
    "io.entroq.engine.queue..",
    "io.entroq.engine.doc..",
    "io.entroq.engine.waiter..",
    "io.entroq.engine.policy..",
    "io.entroq.engine.receipt..",
    "io.entroq.engine.listing..",
    "io.entroq.engine.state.."
  };

  // Read once for all rules.
  private static final JavaClasses PRODUCT =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("io.entroq");

  @Test
  void shouldKeepTheStateMachineFreeOfTheWorld() {
    classes()
        .that()
        .resideInAnyPackage(DETERMINISTIC)
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(DETERMINISTIC)
                .or(
                    resideInAnyPackage(
                        "io.entroq.codec.command..",
                        "io.entroq.codec.effect..",
                        "io.entroq.codec.message..",
                        "io.entroq.codec.result..",
                        "io.entroq.codec.record..",
                        "io.entroq.codec.snapshot..",
                        "org.agrona..",
                        "java.lang",
                        "java.lang.invoke",
                        "java.util",
                        "java.nio")))
        .because("its inputs are state, command bytes, log time and sequence, and nothing else")
        .check(PRODUCT);
  }

  @Test
  void shouldKeepClocksThreadsAndChanceOutOfTheStateMachine() {
    noClasses()
        .that()
        .resideInAnyPackage(DETERMINISTIC)
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.util.Random")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.lang.Thread")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "identityHashCode", Object.class)
        .orShould()
        .callMethod(System.class, "getProperty", String.class)
        .check(PRODUCT);
  }

  @Test
  void shouldLetOnePackageAloneImportChronicleQueue() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.entroq.engine.log.chronicle..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("net.openhft..")
        .check(PRODUCT);
  }

  @Test
  void shouldKeepTheCodecAndTheApiLight() {
    noClasses()
        .that()
        .resideInAnyPackage("io.entroq.codec.wire..", "io.entroq.api..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.agrona..", "io.entroq.engine..", "net.openhft..")
        .check(PRODUCT);
  }

  @Test
  void shouldHaveNoCyclesBetweenPackages() {
    slices().matching("io.entroq.(**)").should().beFreeOfCycles().check(PRODUCT);
  }

  /**
   * Public there means public to the engine: nobody else sees it. What hosts a replica is checked
   * beside the hosts.
   */
  @Test
  void shouldCallTheInternalPackagesFromWithinTheEngineAlone() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.entroq.engine..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.entroq.engine.runtime..",
            "io.entroq.engine.request..",
            "io.entroq.engine.call..",
            "io.entroq.engine.local..",
            "io.entroq.engine.feed..",
            "io.entroq.engine.replica..")
        .check(PRODUCT);
  }

  @Test
  void shouldBuildTheEngineInLayers() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("runtime")
        .definedBy("io.entroq.engine.runtime..")
        .layer("request")
        .definedBy("io.entroq.engine.request..")
        .layer("call")
        .definedBy("io.entroq.engine.call..")
        .layer("local")
        .definedBy("io.entroq.engine.local..")
        .layer("embedded")
        .definedBy("io.entroq.engine.embedded..")
        .layer("replica")
        .definedBy("io.entroq.engine.replica..")
        .whereLayer("replica")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("embedded")
        .mayOnlyBeAccessedByLayers("replica")
        .whereLayer("local")
        .mayOnlyBeAccessedByLayers("embedded", "replica")
        .whereLayer("call")
        .mayOnlyBeAccessedByLayers("local", "embedded", "replica")
        .whereLayer("request")
        .mayOnlyBeAccessedByLayers("call", "local", "embedded", "replica")
        .check(PRODUCT);
  }
}
