package io.entroq.spring;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Who may import whom. */
class ImportRulesTest {
  private static final JavaClasses STARTER =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.entroq.spring");

  @Test
  void shouldUseThePublicApiOnly() {
    classes()
        .that()
        .resideInAPackage("io.entroq.spring")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.entroq.spring",
            "io.entroq.api..",
            "io.entroq.client",
            "io.entroq.engine.embedded",
            // What the embedded engine extends.
            "io.entroq.engine.local",
            "java..",
            "org.jspecify.annotations",
            "org.springframework..",
            "io.micrometer.core..",
            "tools.jackson..")
        .check(STARTER);
  }

  /** Applications need not have the actuator. */
  @Test
  void shouldNeedTheActuatorForItsOwnClassesOnly() {
    noClasses()
        .that()
        .haveSimpleNameNotStartingWith("EntroQActuatorAutoConfiguration")
        .and()
        .haveSimpleNameNotStartingWith("EntroQHealthIndicator")
        .and()
        .haveSimpleNameNotStartingWith("EntroQEndpoint")
        .and()
        .haveSimpleNameNotStartingWith("ListenerMeters")
        .and()
        .doNotHaveSimpleName("HealthConfiguration")
        .and()
        .doNotHaveSimpleName("MetricsConfiguration")
        .and()
        .doNotHaveSimpleName("EndpointConfiguration")
        .and()
        .resideOutsideOfPackage("org..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.springframework.boot.actuate..",
            "org.springframework.boot.health..",
            "io.micrometer..")
        .check(STARTER);
  }
}
