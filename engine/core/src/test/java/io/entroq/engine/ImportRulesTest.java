package io.entroq.engine;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The rules of the architecture: who may import whom. */
class ImportRulesTest {

  private static final String[] DETERMINISTIC = {
    "io.entroq.engine.memory..",
    "io.entroq.engine.memory..",
    "io.entroq.engine.task..",
    "io.entroq.engine.queue..",
    "io.entroq.engine.doc..",
    "io.entroq.engine.waiter..",
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
}
